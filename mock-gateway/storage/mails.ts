import { byIds } from './rows.ts'
import type { MailRow, NewMailRow } from './tables/mails.ts'
import type { Queries } from './tables/schema.ts'

export async function insertMail(queries: Queries, row: NewMailRow): Promise<void> {
  await queries.insertInto('mails').values(row).execute()
}

/** Returns the mails of deliveries, oldest first. */
export const mailsOf = (queries: Queries, deliveryIds: readonly number[]): Promise<MailRow[]> =>
  byIds(deliveryIds, (ids) =>
    queries.selectFrom('mails').selectAll().where('delivery_id', 'in', ids).orderBy('id').execute(),
  )

export const findMail = (queries: Queries, id: number): Promise<MailRow | undefined> =>
  queries.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
