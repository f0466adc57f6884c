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
  { known = {}, customerRefs = [''], provesCustomer: customer = false, now }: HashRules,
): VerifiedHash {
  const { hash } = sent
  if (hash === undefined) throw new GatewayError('errors.hash.missing', { explain: MISSING })
  const request = pickHashedRequest(merchant, {
    paymentRef: sent.paymentRef ?? known.paymentRef,
    customerRef: sent.customerRef ?? customerRefs[0],
    amount: sent.amount ?? known.amount,
    currency: sent.currency ?? known.currency,
    test: sent.test ?? known.test,
  })
  const refs = sent.customerRef === undefined ? customerRefs : [sent.customerRef]
  const accepted = listAcceptedVariants({ strict: merchant.settings.strict_hash, customer })
  const attempts = listValidSecrets(now, merchant.secret, getReplaced(merchant)).flatMap((secret) =>
    listSpellings(request.amount).flatMap((amount) =>
      refs.map((customerRef) => ({
        amount,
        secret,
        ...matchRequestHash(
          { ...request, amount, customerRef },
          hash,
          secret,
          accepted,
          sent.hidden,
        ),
      })),
    ),
  ) as [HashAttempt, ...HashAttempt[]]
  const match = attempts.find(({ ok }) => ok) ?? attempts[0]
  if (!match.ok) throw explainMismatch(merchant, request, hash, match.expected)
  return {
    hash,
    notices: listHashNotices(merchant, match, request.amount),
    uncovered: listUncoveredParts(match.variant),
  }
}

type HashAttempt = HashMatch & { readonly amount: string; readonly secret: string }

const MISSING =
  'hash is missing. Send the MD5 of merchant_id + payment_ref + customer_ref + amount + currency + "test" (if test is true) + secret.'

const getReplaced = ({ previousSecret = { value: null, until: null } }: Merchant): ReplacedSecret =>
  previousSecret

/** The explanation if no common mistake matches. */
const WRONG_SECRET =
  'No common mistake explains your hash. If you hashed this text, the secret is wrong.'

/** Lists show only the beginning of an explanation: a known mistake comes before the recipe. */
function explainMismatch(
  merchant: Merchant,
  request: HashedRequest,
  sent: string,
  expected: string,
): GatewayError {
  const { value } = getReplaced(merchant)
  const mistaken = value === null ? {} : { 'the previous secret (no longer valid)': value }
  const [mistake] = diagnoseHash({ request, sent, secret: merchant.secret, mistaken }, 'one')
  const recipe = `hash must be the MD5 of "${expected}", where *** is your secret.`
  return new GatewayError('errors.hash.invalid', {
    explain: mistake === undefined ? `${recipe} ${WRONG_SECRET}` : `${mistake} ${recipe}`,
  })
}

function listHashNotices(
  merchant: Merchant,
  { variant, amount, secret }: Extract<HashAttempt, { readonly ok: true }>,
  sentAmount: string,
): readonly Notice[] {
  const until = getReplaced(merchant).until ?? 0
  const notices: Notice[] = []
  if (variant !== 'canonical') notices.push({ code: 'hash.recipe', facts: { recipe: variant } })
  if (amount !== sentAmount) notices.push({ code: 'hash.amount_spelling', facts: {} })
  if (secret !== merchant.secret) notices.push({ code: 'hash.previous_secret', facts: { until } })
  return notices
}
