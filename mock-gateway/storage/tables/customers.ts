import type { Insertable, Selectable } from 'kysely'
import type { JsonObject } from '../../domain/json.ts'
import { codecOf, json, key, moment, nullable, reference, type TableOf, text } from './columns.ts'

/** The columns of `customers`. */
export const customerColumns = {
  id: key(),
  merchant_id: reference('merchants'),
  ref: nullable(text()),
  metadata: nullable(json<JsonObject>()),
  created_at: moment(),
  updated_at: moment(),
}

export type CustomerTable = TableOf<typeof customerColumns>
export type CustomerRow = Selectable<CustomerTable>
export type NewCustomerRow = Omit<Insertable<CustomerTable>, 'id'>

export const customerCodec = codecOf(customerColumns)
