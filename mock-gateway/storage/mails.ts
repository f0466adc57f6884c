import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'
import { atMost } from './due.ts'
import type { Queries } from './schema.ts'

/** A mail as it was composed, and what became of it. */
export interface MailTable {
  id: Id
  merchant_id: number
  delivery_id: number
  /** Without angle brackets; the same in every attempt. */
  message_id: string
  sender: string
  recipient: string
  subject: string
  text: string
  html: string
  /** `kept` where there is no SMTP server; `refused` where it did not take the mail. */
  status: 'kept' | 'sent' | 'refused'
  created_at: number
}

export type MailRow = Selectable<MailTable>
export type NewMailRow = Omit<Insertable<MailTable>, 'id'>

export const mailCodec = tableCodec<MailTable>({})

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

export const findMail = (queries: Queries, id: number): Promise<MailRow | undefined> =>
  queries.selectFrom('mails').selectAll().where('id', '=', id).executeTakeFirst()
