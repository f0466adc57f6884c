import type { Insertable, Selectable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'

/** A composed mail, and its result. */
export interface MailTable {
  id: Id
  merchant_id: number
  delivery_id: number
  /** Message id without angle brackets, equal in every attempt. */
  message_id: string
  sender: string
  recipient: string
  subject: string
  text: string
  html: string
  /** `kept` if there is no SMTP server; `refused` if the server rejected the mail. */
  status: 'kept' | 'sent' | 'refused'
  created_at: number
}

export type MailRow = Selectable<MailTable>
export type NewMailRow = Omit<Insertable<MailTable>, 'id'>

export const mailCodec = tableCodec<MailTable>({})
