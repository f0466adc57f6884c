import { allMerchants } from '../../../storage/merchants.ts'
import type { MerchantVisit } from '../visit.ts'

/**
 * Returns values that could have been used instead of the merchant's secret, by name: the default
 * password, and for the administrator the secrets of other merchants. None of them is ever shown.
 */
export async function mistakenSecrets({
  merchant,
  operator,
  dependencies,
}: MerchantVisit): Promise<Readonly<Record<string, string>>> {
  const { known, database } = dependencies
  const password = known?.id === merchant.id ? { 'the API password': known.password } : {}
  if (operator.merchantId !== undefined) return password
  const others = (await allMerchants(database.db)).filter(
    ({ id, secret }) => id !== merchant.id && secret !== merchant.secret,
  )
  return {
    ...password,
    ...Object.fromEntries(others.map(({ id, secret }) => [`the secret of merchant ${id}`, secret])),
  }
}
