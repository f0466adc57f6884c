import { atMost } from './due.ts'
import type { NewNotificationRow, NotificationRow } from './tables/notifications.ts'
import type { Queries } from './tables/schema.ts'

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
