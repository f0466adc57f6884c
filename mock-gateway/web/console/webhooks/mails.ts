import { findAll, findOne } from '../../../storage/rows.ts'
import type { MailRow } from '../../../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../../../storage/tables/webhook-deliveries.ts'
import { writeEml } from '../../../webhooks/mail/mail.ts'
import { html } from '../../pages/html.ts'
import { renderCodeBlock, renderMessage } from '../../pages/messages.ts'
import { link, renderFacts, status, timeAt } from '../parts/cells.ts'
import { renderButtonForm, renderFolded } from '../parts/forms.ts'
import { listPages } from '../parts/list.ts'
import {
  type ConsolePage,
  type ConsoleView,
  type MerchantVisit,
  noRow,
  sendFile,
} from '../visit.ts'

interface ListedMail extends MailRow {
  readonly delivery: WebhookDeliveryRow | undefined
}

export const MAIL_PAGES: readonly ConsolePage<MerchantVisit>[] = [
  ...listPages<MerchantVisit, ListedMail>({
    path: 'mails',
    title: 'Mails',
    one: 'mail',
    days: 'mail',
    live: ['mails'],
    columns: [
      ['Subject', ({ subject, id }, home) => link(subject, `${home}/mails/${id}`), 'first'],
      ['To', ({ recipient }) => recipient, 'second'],
      [
        'Transaction',
        ({ delivery }, home) =>
          delivery?.transaction_id
            ? link(delivery.transaction_id, `${home}/transactions/${delivery.transaction_id}`)
            : '',
      ],
      ['Status', (mail) => status(mail.status), 'first-end'],
      ['Created', ({ created_at }) => timeAt(created_at), 'second-end'],
    ],
    note: (mails) => (mails.some((mail) => mail.status === 'kept') ? KEPT : null),
    empty: ({ home }) => html`A webhook with <code>type=email</code> sends one.<br>
<a class="button small" href="${home}/webhook_templates">Create a template</a>`,
    async find({ db, merchant }, _sent, range) {
      const own = { merchant_id: merchant.id }
      const rows = await findAll(db, 'mails', own, { ...range, newestFirst: true })
      const id = rows.map(({ delivery_id }) => delivery_id)
      const deliveries = await findAll(db, 'webhook_deliveries', { id })
      const findDelivery = (row: MailRow) => deliveries.find((each) => each.id === row.delivery_id)
      return { rows: rows.map((row) => ({ ...row, delivery: findDelivery(row) })) }
    },
  }),
  {
    path: '/mails/:id.eml',
    async show(visit) {
      const mail = await find(visit)
      const content = await writeEml(mail)
      return sendFile(`mail-${mail.id}.eml`, 'message/rfc822', content)
    },
  },
  { path: '/mails/:id', show: detail },
]

const KEPT = html`<p class="quiet">A mail with the status kept was not sent, because the gateway has no mail server. Set one with --smtp-url.</p>`

async function detail(visit: MerchantVisit): Promise<ConsoleView> {
  const { home, db } = visit
  const mail = await find(visit)
  const { delivery_id: id } = mail
  const delivery = await findOne(db, 'webhook_deliveries', { id })
  const payment = delivery?.transaction_id
  return {
    title: mail.subject,
    body: html`${renderMessage({
      title: 'Mail',
      text: mail.text,
      children: renderFacts({
        From: mail.sender,
        To: mail.recipient,
        Date: timeAt(mail.created_at),
        Status: status(mail.status),
      }),
    })}
${mail.status === 'kept' ? KEPT : null}
<div class="row">
${delivery?.again_from === null ? renderButtonForm(visit, `${home}/webhooks/${id}/send`, 'Send again') : null}
${payment && html`<a class="button small" href="${home}/transactions/${payment}">Transaction ${payment}</a>`}
<a class="button small" href="${home}/mails/${mail.id}.eml">Download</a></div>
<h2>Source</h2>
${renderFacts({ 'Message-ID': `<${mail.message_id}>`, Delivery: link(id, `${home}/webhooks/${id}`) })}
${renderFolded('HTML', renderCodeBlock(mail.html))}`,
  }
}

/** @throws errors.not_found (196), also for other merchants' (attack 116) */
async function find(visit: MerchantVisit): Promise<MailRow> {
  const mail = await findOne(visit.db, 'mails', { id: visit.id ?? 0 })
  if (mail?.merchant_id === visit.merchant.id) return mail
  throw noRow('mail', visit.named.id ?? '')
}
