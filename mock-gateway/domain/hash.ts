import { hash, timingSafeEqual } from 'node:crypto'

/** What the request hash covers, each as the request sent it (specification: Authentication 3; observed: 3.1). */
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
 * Orders of the parts that are accepted. `canonical` is the one of every client since 2015, with the currency in lower
 * case; `currency_as_sent` is the same with the currency's own case; A, B and C are the specification's samples; the
 * other two are A and B as clients of 2014 made them, with the customer (observed: 3.2).
 */
export type HashVariant =
  | 'canonical'
  | 'currency_as_sent'
  | 'A with customer_ref'
  | 'B with customer_ref'
  | 'A'
  | 'B'
  | 'C'

/** Whether a sent hash is right. */
export type HashMatch =
  | { readonly ok: true; readonly variant: HashVariant }
  /** `expected` is the text whose MD5 was expected, the secret written as `***`, what came encrypted as `(encrypted)`. */
  | { readonly ok: false; readonly expected: string }

type Recipe = (request: HashedRequest, currency: string) => readonly string[]

const mark = (request: HashedRequest): string => (request.test ? 'test' : '')

const full: Recipe = (r, currency) => [r.merchantId, r.paymentRef, r.customerRef, r.amount, currency, mark(r)]
const variantA: Recipe = (r) => [r.merchantId, r.paymentRef, r.amount]
const variantB: Recipe = (r, currency) => [r.merchantId, r.paymentRef, r.amount, currency]
const customerA: Recipe = (r) => [r.merchantId, r.paymentRef, r.customerRef, r.amount]
const customerB: Recipe = (r, currency) => [r.merchantId, r.paymentRef, r.customerRef, r.amount, currency]
const variantC: Recipe = (r, currency) => [r.merchantId, r.paymentRef, r.amount, r.customerRef, currency, mark(r)]

const lowerCase = (r: HashedRequest): string => r.currency.toLowerCase()
const asSent = (r: HashedRequest): string => r.currency

/** The accepted texts in order of preference. */
const RECIPES: readonly (readonly [variant: HashVariant, recipe: Recipe, currency: (r: HashedRequest) => string])[] = [
  ['canonical', full, lowerCase],
  ['currency_as_sent', full, asSent],
  ['A', variantA, asSent],
  ['B', variantB, lowerCase],
  ['B', variantB, asSent],
  ['C', variantC, lowerCase],
  ['C', variantC, asSent],
  ['A with customer_ref', customerA, asSent],
  ['B with customer_ref', customerB, lowerCase],
  ['B with customer_ref', customerB, asSent],
]

/** Every variant. */
export const HASH_VARIANTS: readonly HashVariant[] = [...new Set(RECIPES.map(([variant]) => variant))]

/** The variants that prove whose payment it is as well: A and B leave out the customer. */
export const CUSTOMER_VARIANTS: readonly HashVariant[] = HASH_VARIANTS.filter(
  (variant) => !['A', 'B'].includes(variant),
)

const md5 = (text: string): string => hash('md5', text)

/** The canonical request hash: lower-case hexadecimal MD5. */
export const requestHash = (request: HashedRequest, secret: string): string =>
  md5([...full(request, lowerCase(request)), secret].join(''))

/** What the hash covers, by its parts. */
export type HashedPart = keyof HashedRequest

/** Stands for a part that came encrypted and must not be shown in clear. */
const HIDDEN = '(encrypted)'

function explainedText(request: HashedRequest, hidden: ReadonlySet<HashedPart>): string {
  const clear = { ...request, test: mark(request), currency: lowerCase(request) }
  const order = ['merchantId', 'paymentRef', 'customerRef', 'amount', 'currency', 'test'] as const
  return [...order.map((part) => (hidden.has(part) ? HIDDEN : clear[part])), '***'].join('')
}

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
  hidden: ReadonlySet<HashedPart> = new Set(),
): HashMatch {
  const match = RECIPES.find(
    ([variant, recipe, currency]) =>
      accepted.includes(variant) && sameText(sent, md5([...recipe(request, currency(request)), secret].join(''))),
  )
  return match ? { ok: true, variant: match[0] } : { ok: false, expected: explainedText(request, hidden) }
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

/** `response_hash` of a transaction and `hash` of a redirect: lower-case hexadecimal MD5. */
export function responseHash(response: HashedResponse, secret: string): string {
  const { merchantId, paymentRef, customerRef, amount, currency, status } = response
  const words = [currency, status].map((word) => word.toLowerCase())
  return md5([merchantId, paymentRef, customerRef, amount, ...words, secret].join(''))
}
