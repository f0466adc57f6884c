import type { Insertable, Selectable } from 'kysely'
import { key, moment, reference, type TableOf, text } from './columns.ts'

/** A composed mail, and its result. */
export const mailColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  delivery_id: reference('webhook_deliveries'),
  /** Message id without angle brackets, equal in every attempt. */
  message_id: text(),
  sender: text(),
  recipient: text(),
  subject: text(),
  text: text(),
  html: text(),
  /** `kept` if there is no SMTP server; `refused` if the server rejected the mail. */
  status: text<'kept' | 'sent' | 'refused'>(),
  created_at: moment(),
}

type MailTable = TableOf<typeof mailColumns>

export type MailRow = Selectable<MailTable>
export type NewMailRow = Omit<Insertable<MailTable>, 'id'>
