import { hash, timingSafeEqual } from 'node:crypto'
import { amountIn, formatAmount } from '../money/money.ts'

/**
 * What the request hash covers, each as the request sent it (specification: Authentication 3;
 * observed: 3.1).
 */
export interface HashedRequest {
  readonly merchantId: string
  readonly paymentRef: string
  /** Empty when the request names no customer. */
  readonly customerRef: string
  readonly amount: string
  readonly currency: string
  readonly test: boolean
}

/**
 * Orders of the parts that are accepted. `canonical` is the one of every client since 2015, with
 * the currency in lower case; `currency_as_sent` is the same with the currency's own case; A, B and
 * C are the specification's samples; the other two are A and B as clients of 2014 made them, with
 * the customer (observed: 3.2).
 */
export type HashVariant =
  | 'canonical'
  | 'currency_as_sent'
  | 'A'
  | 'B'
  | 'C'
  | 'A with customer_ref'
  | 'B with customer_ref'

/** Whether a sent hash is right. */
export type HashMatch =
  | { readonly ok: true; readonly variant: HashVariant }
  /**
   * `expected` is the text whose MD5 was expected, the secret written as `***`, what came encrypted
   * as `(encrypted)`.
   */
  | { readonly ok: false; readonly expected: string }

/** What the hash may cover, by its parts. */
export type HashedPart = keyof HashedRequest

const FULL = ['merchantId', 'paymentRef', 'customerRef', 'amount', 'currency', 'test'] as const

/** The parts that each variant covers, in its order. */
const ORDERS: Readonly<Record<HashVariant, readonly HashedPart[]>> = {
  canonical: FULL,
  currency_as_sent: FULL,
  A: ['merchantId', 'paymentRef', 'amount'],
  B: ['merchantId', 'paymentRef', 'amount', 'currency'],
  C: ['merchantId', 'paymentRef', 'amount', 'customerRef', 'currency', 'test'],
  'A with customer_ref': ['merchantId', 'paymentRef', 'customerRef', 'amount'],
  'B with customer_ref': ['merchantId', 'paymentRef', 'customerRef', 'amount', 'currency'],
}

/**
 * How the amount of a request may be written where it was hashed: as sent, or with its two
 * decimals, which a JSON number loses on its way (our decision).
 */
export function spellingsOf(sent: string): readonly string[] {
  const amount = amountIn(sent)
  return amount === undefined || formatAmount(amount) === sent
    ? [sent]
    : [sent, formatAmount(amount)]
}

/** The parts that a variant covers, in its order. */
export const partsOf = (variant: HashVariant): readonly HashedPart[] => ORDERS[variant]

/** How a variant writes the currency: in lower case, as sent, or either. */
function currenciesOf(variant: HashVariant, { currency }: HashedRequest): readonly string[] {
  if (variant === 'canonical') return [currency.toLowerCase()]
  return variant === 'currency_as_sent' ? [currency] : [currency.toLowerCase(), currency]
}

/** Every variant, in order of preference. */
export const HASH_VARIANTS = Object.keys(ORDERS) as readonly HashVariant[]

/** What may be left open by a hash, so that whoever carries the request can change it. */
const OPEN = ['currency', 'test'] as const

/** What a variant does not cover. */
export const uncoveredParts = (variant: HashVariant): readonly (typeof OPEN)[number][] =>
  OPEN.filter((part) => !ORDERS[variant].includes(part))

const COMPLETE_VARIANTS = HASH_VARIANTS.filter((variant) => ORDERS[variant].length === FULL.length)

/** What a merchant, and a request, ask of a hash. */
export interface HashRequirements {
  /** Currency and test flag must be covered (the merchant's setting strict_hash). */
  readonly strict: boolean
  /** The request names a customer, and nothing but the hash proves who sends it. */
  readonly customer: boolean
}

/**
 * The variants that may prove a request. For a customer that only the hash proves those of 2014 do
 * not count: by them a payment_ref that was signed alone could be cut into another one and a
 * customer. By the canonical one it still can, therefore a strict merchant takes C alone for it,
 * where the amount stands between the two.
 */
export function acceptedVariants({ strict, customer }: HashRequirements): readonly HashVariant[] {
  if (strict && customer) return ['C']
  return strict || customer ? COMPLETE_VARIANTS : HASH_VARIANTS
}

const md5 = (text: string): string => hash('md5', text)

/** Stands for a part that came encrypted and must not be shown in clear. */
const HIDDEN = '(encrypted)'

const NONE_HIDDEN: ReadonlySet<HashedPart> = new Set()

/** What a variant hashes, without the secret. */
function hashedText(
  request: HashedRequest,
  variant: HashVariant,
  currency: string,
  hidden: ReadonlySet<HashedPart> = NONE_HIDDEN,
): string {
  const written = { ...request, currency, test: request.test ? 'test' : '' }
  return ORDERS[variant].map((part) => (hidden.has(part) ? HIDDEN : written[part])).join('')
}

/** The canonical request hash: lower-case hexadecimal MD5. */
export const requestHash = (request: HashedRequest, secret: string): string =>
  md5(hashedText(request, 'canonical', request.currency.toLowerCase()) + secret)

/**
 * What somebody who makes a hash has to hash, the secret written as `***`, and what comes of it.
 */
export interface HashExample {
  readonly variant: HashVariant
  readonly text: string
  readonly hash: string
}

/** The hashes of a request by all recipes, in order of preference. */
export const hashesOf = (request: HashedRequest, secret: string): readonly HashExample[] =>
  HASH_VARIANTS.map((variant) => {
    const text = hashedText(request, variant, currenciesOf(variant, request)[0] ?? '')
    return { variant, text: `${text}***`, hash: md5(text + secret) }
  })

/**
 * Compares the hash of a request with every accepted variant, each comparison in constant time.
 * @param sent hexadecimal in any case
 * @param hidden parts that came encrypted
 */
export function matchRequestHash(
  request: HashedRequest,
  sent: string,
  secret: string,
  accepted: readonly HashVariant[] = HASH_VARIANTS,
  hidden?: ReadonlySet<HashedPart>,
): HashMatch {
  const match = accepted.find((variant) =>
    currenciesOf(variant, request).some((currency) =>
      sameText(sent, md5(hashedText(request, variant, currency) + secret)),
    ),
  )
  if (match) return { ok: true, variant: match }
  const expected = hashedText(
    request,
    accepted[0] ?? 'canonical',
    request.currency.toLowerCase(),
    hidden,
  )
  return { ok: false, expected: `${expected}***` }
}

function sameText(sent: string, expected: string): boolean {
  const ours = Buffer.from(expected)
  const theirs = Buffer.from(sent.toLowerCase())
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

/** What the response hash covers (observed: 3.3). No mark for test mode. */
export interface HashedResponse {
  readonly merchantId: string
  readonly paymentRef: string
  readonly customerRef: string
  /** Two decimals, as answered. */
  readonly amount: string
  readonly currency: string
  readonly status: string
}

/** What `response_hash` is made of, without the secret. */
export function responseText({
  merchantId,
  paymentRef,
  customerRef,
  amount,
  ...words
}: HashedResponse): string {
  const [currency, status] = [words.currency, words.status].map((word) => word.toLowerCase())
  return [merchantId, paymentRef, customerRef, amount, currency, status].join('')
}

/** `response_hash` of a transaction and `hash` of a redirect: lower-case hexadecimal MD5. */
export const responseHash = (response: HashedResponse, secret: string): string =>
  md5(responseText(response) + secret)
