import type { JsonObject } from '../../domain/json.ts'
import {
  json,
  key,
  listed,
  moment,
  type NewRowOf,
  nullable,
  type RowOf,
  reference,
  type TableOf,
  text,
} from './columns.ts'

/** The columns of `customers`. */
export const customerColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  ref: listed(nullable(text())),
  metadata: nullable(json<JsonObject>()),
  created_at: listed(moment()),
  updated_at: listed(moment()),
}

export type CustomerTable = TableOf<typeof customerColumns>
export type CustomerRow = RowOf<typeof customerColumns>
export type NewCustomerRow = NewRowOf<typeof customerColumns>
