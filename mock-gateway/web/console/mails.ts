import { wireTime } from '../../serializers/time.ts'
import { findMail } from '../../storage/mails.ts'
import { newestRows } from '../../storage/newest.ts'
import type { MailRow } from '../../storage/tables/mails.ts'
import { emlOf } from '../../webhooks/mail/mail.ts'
import { mailOf } from '../../webhooks/mail/mail-transport.ts'
import { html } from '../pages/html.ts'
import { link, plain, status, time } from './cells.ts'
import { codeBlock } from './design/code.ts'
import { emptyState } from './design/empty.ts'
import { factList } from './design/facts.ts'
import { pager } from './design/list.ts'
import { table } from './design/table.ts'
import { ofNewest, paged } from './paging.ts'
import { type ConsolePage, type ConsoleView, idOf, type MerchantVisit, noRow } from './visit.ts'

/** Pages of all mails, sent or not. */
export const MAIL_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  { path: '/mails', section: 'mails', show: list },
  {
    path: '/mails/:id.eml',
    section: 'mails',
    async show(visit) {
      const mail = await find(visit)
      return {
        name: `mail-${mail.id}.eml`,
        type: 'message/rfc822',
        content: await emlOf(mailOf(mail)),
      }
    },
  },
  { path: '/mails/:id', section: 'mails', show: detail },
]

async function list(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, merchant, dependencies } = visit
  const { rows, ...around } = await paged(visit, `${home}/mails`, (page) =>
    newestRows(dependencies.database.db, 'mails', merchant.id, page),
  )
  return {
    title: 'Mails',
    live: ofNewest(around, ['mails']),
    body: html`${
      rows.length > 0
        ? table({
            heads: ['Id', 'Created', 'To', 'Subject', 'Status'],
            places: [null, 'second', 'second-end', 'first', 'first-end'],
            rows: rows.map((mail) => [
              plain(mail.id),
              time(wireTime(mail.created_at)),
              plain(mail.recipient),
              link(mail.subject, `${home}/mails/${mail.id}`),
              status(mail.status),
            ]),
          })
        : emptyState('No mails yet.', html`A webhook with <code>type=email</code> sends one.`)
    }
${pager(around)}`,
  }
}

async function detail(visit: MerchantVisit): Promise<ConsoleView> {
  const { home } = visit
  const mail = await find(visit)
  return {
    title: `Mail ${mail.id}`,
    body: html`${factList(
      Object.entries({
        From: plain(mail.sender),
        To: plain(mail.recipient),
        Subject: plain(mail.subject),
        Status: status(mail.status),
        Created: time(wireTime(mail.created_at)),
        'Message-ID': plain(`<${mail.message_id}>`),
        Delivery: link(mail.delivery_id, `${home}/webhooks/${mail.delivery_id}`),
      }).map(([name, of]) => ({ name, ...of })),
    )}
<p><a href="${home}/mails/${mail.id}.eml">Download</a></p>
<h2>Text</h2>
<div class="letter">${mail.text}</div>
<h2>HTML source</h2>
${codeBlock(mail.html)}`,
  }
}

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
async function find(visit: MerchantVisit): Promise<MailRow> {
  const id = idOf(visit)
  const mail = id === undefined ? undefined : await findMail(visit.dependencies.database.db, id)
  if (mail?.merchant_id === visit.merchant.id) return mail
  throw noRow('mail', visit.named.id ?? '')
}
