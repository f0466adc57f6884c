import { id, key, moment, type NewRowOf, nullable, type RowOf, reference, text } from './columns.ts'

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

export type MailRow = RowOf<typeof mailColumns>
export type NewMailRow = NewRowOf<typeof mailColumns>

/** A notification on the merchant's dashboard (specification: Delivery rules 3 and 5). */
export const notificationColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  /** webhook_failed after a failure without retry, webhook_dead after the last retry. */
  kind: text<'webhook_failed' | 'webhook_dead'>(),
  delivery_id: id(),
  transaction_id: nullable(id()),
  /** A sentence without secrets. */
  message: text(),
  created_at: moment(),
}

export type NotificationRow = RowOf<typeof notificationColumns>
export type NewNotificationRow = NewRowOf<typeof notificationColumns>
