import { byIds, findAll, findOne } from './rows.ts'
import type { MailRow } from './tables/mails.ts'
import type { Queries } from './tables/schema.ts'

/** Returns the mails of deliveries, oldest first. */
export const findMails = (queries: Queries, deliveryIds: readonly number[]): Promise<MailRow[]> =>
  byIds(deliveryIds, (ids) => findAll(queries, 'mails', { delivery_id: ids }))

export const findMail = (queries: Queries, id: number): Promise<MailRow | undefined> =>
  findOne(queries, 'mails', { id })
