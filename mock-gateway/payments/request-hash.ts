import { GatewayError } from '../domain/errors.ts'
import {
  CUSTOMER_VARIANTS,
  HASH_VARIANTS,
  type HashedRequest,
  type HashMatch,
  type HashVariant,
  matchRequestHash,
} from '../domain/hash.ts'
import type { Merchant } from '../domain/merchant.ts'
import { flag, isSent, type Parameters, text } from '../domain/parameters.ts'

/** What was sent as `hash`, and notes for the integrator when it is not the canonical recipe. */
export interface CheckedHash {
  readonly hash: string
  readonly notes: readonly string[]
}

/**
 * Holds the `hash` of a request against the merchant's secret (specification: Authentication, 3; observed: 3.1).
 * @param how.known what an update may leave out because the transaction has it
 * @param how.customerRefs what may stand for a customer_ref that is not sent, the likeliest first
 * @param how.accepted recipes; by default all
 * @throws errors.hash.missing (106), errors.hash.invalid (107)
 */
export function checkRequestHash(
  merchant: Merchant,
  parameters: Parameters,
  {
    known = {},
    customerRefs = [''],
    accepted = HASH_VARIANTS,
  }: {
    readonly known?: Partial<Omit<HashedRequest, 'merchantId' | 'customerRef'>>
    readonly customerRefs?: readonly [string, ...string[]]
    readonly accepted?: readonly HashVariant[]
  } = {},
): CheckedHash {
  const hash = text(parameters, 'hash')
  if (hash === undefined)
    throw new GatewayError('errors.hash.missing', {
      explain:
        'hash is the MD5 of merchant_id + payment_ref + customer_ref + amount + currency + "test" when test is true + secret',
    })
  const sentRef = text(parameters, 'customer_ref')
  const hashed = (customerRef: string): HashedRequest => ({
    merchantId: String(merchant.id),
    paymentRef: text(parameters, 'payment_ref') ?? text(parameters, 'order_id') ?? known.paymentRef ?? '',
    customerRef,
    amount: text(parameters, 'amount') ?? known.amount ?? '',
    currency: text(parameters, 'currency') ?? known.currency ?? '',
    test: flag(parameters, 'test') ?? known.test ?? false,
  })
  const tries = (sentRef === undefined ? customerRefs : [sentRef]).map((ref) =>
    matchRequestHash(hashed(ref), hash, merchant.secret, accepted),
  ) as [HashMatch, ...HashMatch[]]
  const match = tries.find(({ ok }) => ok) ?? tries[0]
  if (!match.ok)
    throw new GatewayError('errors.hash.invalid', {
      explain: `hash must be the MD5 of "${match.expected}", where *** is your secret`,
    })
  const notes =
    match.variant === 'canonical' ? [] : [`hash matched the recipe "${match.variant}", not the canonical one`]
  return { hash, notes }
}

/**
 * As `checkRequestHash`, for a request that has nothing else to prove it: a payer may have changed everything that the
 * hash leaves out, so when it names a customer the hash must cover the customer (our decision).
 * @throws errors.hash.missing (106), errors.hash.invalid (107)
 */
export function checkPayersHash(merchant: Merchant, parameters: Parameters): void {
  const accepted = isSent(parameters, 'customer_ref') ? CUSTOMER_VARIANTS : HASH_VARIANTS
  checkRequestHash(merchant, parameters, { accepted })
}
