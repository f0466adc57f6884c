import type { Customer } from '../contract/wire.ts'
import type { CustomerRow } from '../storage/tables/customers.ts'
import { wireTime } from './time.ts'

export function presentCustomer(row: CustomerRow): Customer {
  return {
    id: row.id,
    created_at: wireTime(row.created_at),
    ref: row.ref,
    metadata: row.metadata,
  }
}
