import type { NewNotificationRow } from './tables/notifications.ts'
import type { Queries } from './tables/schema.ts'

export async function insertNotification(queries: Queries, row: NewNotificationRow): Promise<void> {
  await queries.insertInto('notifications').values(row).execute()
}
