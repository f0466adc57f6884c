import { wireTime } from '../../../serializers/time.ts'
import { findMail } from '../../../storage/mails.ts'
import { newestRows } from '../../../storage/newest.ts'
import type { MailRow } from '../../../storage/tables/mails.ts'
import { deliveriesById } from '../../../storage/webhook-deliveries.ts'
import { emlOf } from '../../../webhooks/mail/mail.ts'
import { mailOf } from '../../../webhooks/mail/mail-transport.ts'
import { html } from '../../pages/html.ts'
import { codeBlock, factList } from '../parts/cell.ts'
import { link, plain, status, time } from '../parts/cells.ts'
import { pager } from '../parts/filters.ts'
import { ofNewest, paged } from '../parts/paging.ts'
import { emptyState } from '../parts/problem.ts'
import { table } from '../parts/table.ts'
import { type ConsolePage, type ConsoleView, idOf, type MerchantVisit, noRow } from '../visit.ts'
import { resendForm, transactionLink } from './delivery-table.ts'

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
  const { db } = dependencies.database
  const { rows, ...around } = await paged(visit, `${home}/mails`, (page) =>
    newestRows(db, 'mails', merchant.id, page),
  )
  const deliveries = await deliveriesById(
    db,
    rows.map(({ delivery_id }) => delivery_id),
  )
  const transactionOf = ({ delivery_id }: MailRow) => deliveries.get(delivery_id)?.transaction_id
  const isAnyKept = rows.some(({ status }) => status === 'kept')
  return {
    title: 'Mails',
    live: ofNewest(around, ['mails']),
    body: html`${isAnyKept ? html`<p class="quiet">${KEPT}</p>` : null}
${
  rows.length > 0
    ? table({
        days: 'mail',
        heads: ['Created', 'To', 'Subject', 'Transaction', 'Status'],
        places: ['second-end', 'second', 'first', null, 'first-end'],
        rows: rows.map((mail) => {
          const id = transactionOf(mail)
          return [
            time(wireTime(mail.created_at)),
            plain(mail.recipient),
            link(mail.subject, `${home}/mails/${mail.id}`),
            id == null ? plain('') : link(id, `${home}/transactions/${id}`),
            status(mail.status),
          ]
        }),
      })
    : emptyState(
        'No mails yet.',
        html`A webhook with <code>type=email</code> sends one.
<a href="${home}/webhook_templates">Create a template</a> for every payment.`,
      )
}
${pager(around)}`,
  }
}

const KEPT =
  'A mail with the status kept was not sent, because the gateway has no mail server. Set one with --smtp-url.'

async function detail(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, dependencies } = visit
  const mail = await find(visit)
  const delivery = (await deliveriesById(dependencies.database.db, [mail.delivery_id])).get(
    mail.delivery_id,
  )
  return {
    title: mail.subject,
    body: html`<article class="letter">
${factList(
  Object.entries({
    From: plain(mail.sender),
    To: plain(mail.recipient),
    Date: time(wireTime(mail.created_at)),
    Status: status(mail.status),
  }).map(([name, of]) => ({ name, ...of })),
)}
<div class="text">${mail.text}</div>
</article>
${mail.status === 'kept' ? html`<p class="quiet">${KEPT}</p>` : null}
<div class="presets">
${delivery && resendForm(visit, delivery)}
${delivery && transactionLink(home, delivery.transaction_id)}
<a class="button" href="${home}/mails/${mail.id}.eml">Download</a></div>
<h2>Source</h2>
${factList(
  Object.entries({
    'Message-ID': plain(`<${mail.message_id}>`),
    Delivery: link(mail.delivery_id, `${home}/webhooks/${mail.delivery_id}`),
  }).map(([name, of]) => ({ name, ...of })),
)}
<details><summary>HTML</summary>${codeBlock(mail.html)}</details>`,
  }
}

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
async function find(visit: MerchantVisit): Promise<MailRow> {
  const id = idOf(visit)
  const mail = id === undefined ? undefined : await findMail(visit.dependencies.database.db, id)
  if (mail?.merchant_id === visit.merchant.id) return mail
  throw noRow('mail', visit.named.id ?? '')
}
