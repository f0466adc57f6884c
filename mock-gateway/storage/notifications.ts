import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'
import { atMost } from './due.ts'
import type { Queries } from './schema.ts'

/** Something that the merchant's dashboard tells (specification: Delivery rules 3 and 5). */
export interface NotificationTable {
  id: Id
  merchant_id: number
  /** webhook_failed at once, webhook_dead after the last retry. */
  kind: 'webhook_failed' | 'webhook_dead'
  delivery_id: number
  transaction_id: number | null
  /** One sentence without secrets. */
  message: string
  created_at: number
}

export type NotificationRow = Selectable<NotificationTable>
export type NewNotificationRow = Omit<Insertable<NotificationTable>, 'id'>

export const notificationCodec = tableCodec<NotificationTable>({})

export async function insertNotification(queries: Queries, row: NewNotificationRow): Promise<void> {
  await queries.insertInto('notifications').values(row).execute()
}

/** The newest first, of one merchant or of all. */
export const findNotifications = (
  queries: Queries,
  merchantId: number | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<NotificationRow[]> =>
  queries
    .selectFrom('notifications')
    .selectAll()
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id', 'desc')
    .limit(atMost(limit))
    .offset(offset)
    .execute()
