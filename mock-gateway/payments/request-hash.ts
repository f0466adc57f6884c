import { GatewayError } from '../domain/errors.ts'
import { type HashedRequest, matchRequestHash } from '../domain/hash.ts'
import type { Merchant } from '../domain/merchant.ts'
import { flag, type Parameters, text } from '../domain/parameters.ts'

/** What was sent as `hash`, and a note for the integrator when it is not the canonical recipe. */
export interface CheckedHash {
  readonly hash: string
  readonly note: string | undefined
}

/**
 * Holds the `hash` of a request against the merchant's secret (specification: Authentication, 3; observed: 3.1).
 * @param known what an update may leave out because the transaction has it
 * @throws errors.hash.missing (106), errors.hash.invalid (107)
 */
export function checkRequestHash(
  merchant: Merchant,
  parameters: Parameters,
  known: Partial<Omit<HashedRequest, 'merchantId'>> = {},
): CheckedHash {
  const hash = text(parameters, 'hash')
  if (hash === undefined)
    throw new GatewayError('errors.hash.missing', {
      explain:
        'hash is the MD5 of merchant_id + payment_ref + customer_ref + amount + currency + "test" when test is true + secret',
    })
  const hashed: HashedRequest = {
    merchantId: String(merchant.id),
    paymentRef: text(parameters, 'payment_ref') ?? text(parameters, 'order_id') ?? known.paymentRef ?? '',
    customerRef: text(parameters, 'customer_ref') ?? known.customerRef ?? '',
    amount: text(parameters, 'amount') ?? known.amount ?? '',
    currency: text(parameters, 'currency') ?? known.currency ?? '',
    test: flag(parameters, 'test') ?? known.test ?? false,
  }
  const match = matchRequestHash(hashed, hash, merchant.secret)
  if (!match.ok)
    throw new GatewayError('errors.hash.invalid', {
      explain: `hash must be the MD5 of "${match.expected}", where *** is your secret`,
    })
  const note =
    match.variant === 'canonical' ? undefined : `hash matched the recipe "${match.variant}", not the canonical one`
  return { hash, note }
}

/** The merchant_id parameter is optional, but it must not name another merchant. @throws errors.merchant.invalid (202) */
export function checkMerchantId(merchant: Merchant, parameters: Parameters): void {
  const sent = text(parameters, 'merchant_id')
  if (sent !== undefined && sent !== String(merchant.id))
    throw new GatewayError('errors.merchant.invalid', {
      explain: 'merchant_id is not the merchant that the request is authenticated as',
    })
}
