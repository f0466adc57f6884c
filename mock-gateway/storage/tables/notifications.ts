import type { Insertable, Selectable } from 'kysely'
import { id, key, moment, nullable, reference, type TableOf, text } from './columns.ts'

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

type NotificationTable = TableOf<typeof notificationColumns>

export type NotificationRow = Selectable<NotificationTable>
export type NewNotificationRow = Omit<Insertable<NotificationTable>, 'id'>
