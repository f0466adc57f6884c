import { GatewayError } from '../errors/errors.ts'
import type { Merchant } from '../merchant.ts'
import type { Notice } from '../notices.ts'
import { listValidSecrets, type ReplacedSecret } from '../secrets.ts'
import {
  type HashedPart,
  type HashedRequest,
  type HashMatch,
  listAcceptedVariants,
  listSpellings,
  listUncoveredParts,
  matchRequestHash,
} from './hash.ts'
import { diagnoseHash } from './hash-diagnosis.ts'

/** The hash of a request and the parts it covers, as sent; undefined for missing parts. */
export interface SentHash {
  readonly hash: string | undefined
  readonly paymentRef: string | undefined
  readonly customerRef: string | undefined
  readonly amount: string | undefined
  readonly currency: string | undefined
  readonly test: boolean | undefined
  /** Encrypted parts: explanations do not show them. */
  readonly hidden: ReadonlySet<HashedPart>
}

/** Builds the parts covered by the hash; missing ones are empty. */
export const pickHashedRequest = (
  merchant: Merchant,
  sent: Omit<SentHash, 'hash' | 'hidden'>,
): HashedRequest => ({
  merchantId: String(merchant.id),
  paymentRef: sent.paymentRef ?? '',
  customerRef: sent.customerRef ?? '',
  amount: sent.amount ?? '',
  currency: sent.currency ?? '',
  test: sent.test ?? false,
})

/** A correct hash, and notices for the integrator if it does not use the canonical recipe. */
export interface VerifiedHash {
  readonly hash: string
  readonly notices: readonly Notice[]
  /** Parts that the hash leaves out: the payer's browser could change them. */
  readonly uncovered: ReturnType<typeof listUncoveredParts>
}

/** Options of `checkRequestHash`. */
export interface HashRules {
  /** Values that an update may omit because the transaction has them. */
  readonly known?: Partial<Omit<HashedRequest, 'merchantId' | 'customerRef'>>
  /** Values to try if no customer_ref was sent, the likeliest first. */
  readonly customerRefs?: readonly [string, ...string[]]
  /** Only the hash proves the customer that the request names. */
  readonly provesCustomer?: boolean
  /** Epoch milliseconds: decides whether the previous secret is still accepted. */
  readonly now: number
}

/**
 * Checks the hash of a request (specification: Authentication, 3; observed: 3.1).
 * @throws errors.hash.missing (106), errors.hash.invalid (107)
 */
export function checkRequestHash(
  merchant: Merchant,
  sent: SentHash,
  { known = {}, customerRefs = [''], provesCustomer = false, now }: HashRules,
): VerifiedHash {
  const { hash, customerRef } = sent
  if (hash === undefined)
    throw new GatewayError('errors.hash.missing', {
      explain:
        'hash is missing. Send the MD5 of merchant_id + payment_ref + customer_ref + amount + currency + "test" (if test is true) + secret.',
    })
  const written = sent.amount ?? known.amount ?? ''
  const hashed = (ref: string, amount: string): HashedRequest =>
    pickHashedRequest(merchant, {
      paymentRef: sent.paymentRef ?? known.paymentRef,
      customerRef: ref,
      amount,
      currency: sent.currency ?? known.currency,
      test: sent.test ?? known.test,
    })
  const accepted = listAcceptedVariants({
    strict: merchant.settings.strict_hash,
    customer: provesCustomer,
  })
  const { secret, previousSecret: previous = NONE_REPLACED } = merchant
  const tries = listValidSecrets(now, secret, previous).flatMap((each) =>
    listSpellings(written).flatMap((amount) =>
      (customerRef === undefined ? customerRefs : [customerRef]).map((ref) => ({
        amount,
        isPrevious: each !== secret,
        ...matchRequestHash(hashed(ref, amount), hash, each, accepted, sent.hidden),
      })),
    ),
  ) as [HashAttempt, ...HashAttempt[]]
  const match = tries.find(({ ok }) => ok) ?? tries[0]
  if (!match.ok) {
    const request = hashed(customerRef ?? customerRefs[0], written)
    const mistaken =
      previous.value === null ? {} : { 'the previous secret (no longer valid)': previous.value }
    const [mistake] = diagnoseHash({ request, sent: hash, secret, mistaken }, 'one')
    const recipe = `hash must be the MD5 of "${match.expected}", where *** is your secret.`
    throw new GatewayError('errors.hash.invalid', {
      // Lists show the beginning only.
      explain: mistake === undefined ? `${recipe} ${WRONG_SECRET}` : `${mistake} ${recipe}`,
    })
  }
  const uncovered = listUncoveredParts(match.variant)
  return {
    hash,
    notices: listHashNotices(match, written, previous),
    uncovered,
  }
}

function listHashNotices(
  { variant, amount, isPrevious }: Extract<HashAttempt, { readonly ok: true }>,
  written: string,
  { until }: ReplacedSecret,
): readonly Notice[] {
  const notices: Notice[] = []
  if (variant !== 'canonical') notices.push({ code: 'hash.recipe', facts: { recipe: variant } })
  if (amount !== written) notices.push({ code: 'hash.amount_spelling', facts: {} })
  if (isPrevious) notices.push({ code: 'hash.previous_secret', facts: { until: until ?? 0 } })
  return notices
}

const NONE_REPLACED: ReplacedSecret = { value: null, until: null }

/** The explanation if no common mistake matches. */
const WRONG_SECRET =
  'No common mistake explains your hash. If you hashed this text, the secret is wrong.'

type HashAttempt = HashMatch & { readonly amount: string; readonly isPrevious: boolean }
