import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

/** A notification on the merchant's dashboard (specification: Delivery rules 3 and 5). */
export interface NotificationTable {
  id: Id
  merchant_id: number
  /** webhook_failed after a failure without retry, webhook_dead after the last retry. */
  kind: 'webhook_failed' | 'webhook_dead'
  delivery_id: number
  transaction_id: number | null
  /** A sentence without secrets. */
  message: string
  created_at: number
}

export type NotificationRow = Selectable<NotificationTable>
export type NewNotificationRow = Omit<Insertable<NotificationTable>, 'id'>

export const notificationCodec = tableCodec<NotificationTable>({})
