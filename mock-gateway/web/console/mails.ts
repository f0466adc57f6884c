import { wireTime } from '../../serializers/time.ts'
import { findMail } from '../../storage/mails.ts'
import { newestRows } from '../../storage/newest.ts'
import type { MailRow } from '../../storage/tables/mails.ts'
import { emlOf } from '../../webhooks/mail/mail.ts'
import { mailOf } from '../../webhooks/mail/mail-transport.ts'
import { link, plain, status, time } from './cells.ts'
import { ofNewest, paged } from './paging.ts'
import { idOf, type MerchantVisit, noRow, type Page, type View } from './visit.ts'

/** The mails there were, sent or not. */
export const MAIL_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/mails', section: 'mails', show: list },
  {
    path: '/mails/:id.eml',
    section: 'mails',
    async show(visit) {
      const mail = await find(visit)
      return { name: `mail-${mail.id}.eml`, type: 'message/rfc822', content: await emlOf(mailOf(mail)) }
    },
  },
  { path: '/mails/:id', section: 'mails', show: detail },
]

async function list(visit: MerchantVisit): Promise<View> {
  const { home, merchant, dependencies } = visit
  const { rows, ...around } = await paged(visit, `${home}/mails`, (page) =>
    newestRows(dependencies.database.db, 'mails', merchant.id, page),
  )
  return {
    view: 'paged',
    title: 'Mails',
    live: ofNewest(around, ['mails']),
    data: {
      ...around,
      heads: ['Id', 'Created', 'To', 'Subject', 'Status'],
      rows: rows.map((mail) => [
        link(mail.id, `${home}/mails/${mail.id}`),
        time(wireTime(mail.created_at)),
        plain(mail.recipient),
        plain(mail.subject),
        status(mail.status),
      ]),
      none: 'No mails yet.',
    },
  }
}

async function detail(visit: MerchantVisit): Promise<View> {
  const { home } = visit
  const mail = await find(visit)
  return {
    view: 'mail',
    title: `Mail ${mail.id}`,
    data: {
      file: `${home}/mails/${mail.id}.eml`,
      facts: Object.entries({
        From: plain(mail.sender),
        To: plain(mail.recipient),
        Subject: plain(mail.subject),
        Status: status(mail.status),
        Created: time(wireTime(mail.created_at)),
        'Message-ID': plain(`<${mail.message_id}>`),
        Delivery: link(mail.delivery_id, `${home}/webhooks/${mail.delivery_id}`),
      }).map(([name, cell]) => ({ name, ...cell })),
      text: mail.text,
      html: mail.html,
    },
  }
}

/** @throws errors.not_found (196), other merchants' too (attack 116) */
async function find(visit: MerchantVisit): Promise<MailRow> {
  const id = idOf(visit)
  const mail = id === undefined ? undefined : await findMail(visit.dependencies.database.db, id)
  if (mail?.merchant_id === visit.merchant.id) return mail
  throw noRow('mail', visit.named.id ?? '')
}
