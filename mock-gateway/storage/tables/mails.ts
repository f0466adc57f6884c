import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

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
