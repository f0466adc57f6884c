import { byIds } from './rows.ts'
import type { MailRow } from './tables/mails.ts'
import type { Queries } from './tables/schema.ts'

/** Returns the mails of deliveries, oldest first. */
export const mailsOf = (queries: Queries, deliveryIds: readonly number[]): Promise<MailRow[]> =>
  byIds(deliveryIds, (ids) =>
    queries.selectFrom('mails').selectAll().where('delivery_id', 'in', ids).orderBy('id').execute(),
  )

export const findMail = (queries: Queries, id: number): Promise<MailRow | undefined> =>
  queries.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
