import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../../domain/json.ts'
import { type Id, JSON_TEXT, tableCodec } from './codec.ts'

export interface CustomerTable {
  id: Id
  merchant_id: number
  ref: string | null
  metadata: JsonObject | null
  created_at: number
  updated_at: number
}

export type CustomerRow = Selectable<CustomerTable>
export type NewCustomerRow = Omit<Insertable<CustomerTable>, 'id'>

export const customerCodec = tableCodec<CustomerTable>({ metadata: JSON_TEXT })
