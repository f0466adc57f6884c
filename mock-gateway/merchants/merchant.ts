import type { Merchant } from '../domain/merchant.ts'
import type { MerchantRow } from '../storage/merchants.ts'

/** Reads a merchant's row. */
export function toMerchant(row: MerchantRow): Merchant {
  return { id: row.id, name: row.name, secret: row.secret, settings: row.settings }
}
