import { atMost } from './due.ts'
import { byIds } from './rows.ts'
import type { MailRow, NewMailRow } from './tables/mails.ts'
import type { Queries } from './tables/schema.ts'

export async function insertMail(queries: Queries, row: NewMailRow): Promise<void> {
  await queries.insertInto('mails').values(row).execute()
}

/** The newest first, of one merchant or of all. */
export const listMails = (
  queries: Queries,
  merchantId: number | undefined,
  { limit, offset }: { readonly limit: number; readonly offset: number },
): Promise<MailRow[]> =>
  queries
    .selectFrom('mails')
    .selectAll()
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? 0))
    .orderBy('id', 'desc')
    .limit(atMost(limit))
    .offset(offset)
    .execute()

/** Those of these deliveries, the oldest first. */
export const mailsOf = (queries: Queries, deliveryIds: readonly number[]): Promise<MailRow[]> =>
  byIds(deliveryIds, (ids) =>
    queries.selectFrom('mails').selectAll().where('delivery_id', 'in', ids).orderBy('id').execute(),
  )

export const findMail = (queries: Queries, id: number): Promise<MailRow | undefined> =>
  queries.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
