import { hash, timingSafeEqual } from 'node:crypto'
import { formatAmount, readAmountFilter } from '../money/money.ts'

/** Parts covered by the request hash, as sent (specification: Authentication 3; observed: 3.1). */
export interface HashedRequest {
  readonly merchantId: string
  readonly paymentRef: string
  /** Empty if the request names no customer. */
  readonly customerRef: string
  readonly amount: string
  readonly currency: string
  readonly test: boolean
}

/** Reads the parts from the fields of a request. */
export function pickHashedParts(
  merchantId: number,
  fields: Readonly<Record<string, unknown>>,
): HashedRequest {
  const text = (name: string) => String(fields[name] ?? '')
  return {
    merchantId: String(merchantId),
    paymentRef: text('payment_ref'),
    customerRef: text('customer_ref'),
    amount: text('amount'),
    currency: text('currency'),
    test: /^(?:true|1|on)$/i.test(text('test')),
  }
}

/**
 * Accepted orders of the parts. `canonical` is used by every client since 2015, with the currency
 * in lower case; `currency_as_sent` is the same with the currency as sent; A, B and C are the
 * specification's samples; the other two are A and B with the customer, as clients of 2014
 * calculated them (observed: 3.2).
 */
export type HashVariant =
  | 'canonical'
  | 'currency_as_sent'
  | 'A'
  | 'B'
  | 'C'
  | 'A with customer_ref'
  | 'B with customer_ref'

/** Result of checking a hash. */
export type HashMatch =
  | { readonly ok: true; readonly variant: HashVariant }
  /**
   * `expected` is the text whose MD5 was expected, with `***` for the secret and `(encrypted)` for
   * encrypted parts.
   */
  | { readonly ok: false; readonly expected: string }

/** Parts that the hash can cover. */
export type HashedPart = keyof HashedRequest

const FULL = ['merchantId', 'paymentRef', 'customerRef', 'amount', 'currency', 'test'] as const

/** The parts of each variant, in order. */
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
 * Lists the spellings of an amount that a hash may cover: as sent, and with two decimals, which a
 * JSON number loses (our decision).
 */
export function listSpellings(sent: string): readonly string[] {
  const amount = readAmountFilter(sent)
  return amount === undefined || formatAmount(amount) === sent
    ? [sent]
    : [sent, formatAmount(amount)]
}

/** Returns the parts of a variant, in order. */
export const listHashedParts = (variant: HashVariant): readonly HashedPart[] => ORDERS[variant]

/** Lists the accepted spellings of the currency in a variant: lower case, as sent, or both. */
function listCurrencies(variant: HashVariant, { currency }: HashedRequest): readonly string[] {
  if (variant === 'canonical') return [currency.toLowerCase()]
  return variant === 'currency_as_sent' ? [currency] : [currency.toLowerCase(), currency]
}

/** All variants, in order of preference. */
export const HASH_VARIANTS = Object.keys(ORDERS) as readonly HashVariant[]

/** Parts that some hashes leave out, so that the payer's browser could change them. */
const OPEN = ['currency', 'test'] as const

/** Returns the parts that a variant leaves out. */
export const listUncoveredParts = (variant: HashVariant): readonly (typeof OPEN)[number][] =>
  OPEN.filter((part) => !ORDERS[variant].includes(part))

const COMPLETE_VARIANTS = HASH_VARIANTS.filter((variant) => ORDERS[variant].length === FULL.length)

/** Requirements of a merchant and a request for their hash. */
export interface HashRequirements {
  /** The hash must cover currency and test flag (the merchant's setting strict_hash). */
  readonly strict: boolean
  /** The request names a customer, and only the hash authenticates the sender. */
  readonly customer: boolean
}

/**
 * Returns the variants that can authenticate a request. If only the hash proves the customer, the
 * variants of 2014 are excluded: a signed payment_ref could be split into another payment_ref and a
 * customer. The canonical variant has the same weakness, so strict merchants only accept C then,
 * where the amount separates the two.
 */
export function listAcceptedVariants({
  strict,
  customer,
}: HashRequirements): readonly HashVariant[] {
  if (strict && customer) return ['C']
  return strict || customer ? COMPLETE_VARIANTS : HASH_VARIANTS
}

export const md5 = (text: string): string => hash('md5', text)

/** Replaces an encrypted part, which must not be shown. */
const HIDDEN = '(encrypted)'

const NONE_HIDDEN: ReadonlySet<HashedPart> = new Set()

/** Builds the text to hash, without the secret. */
function writeHashedText(
  request: HashedRequest,
  variant: HashVariant,
  currency: string,
  hidden: ReadonlySet<HashedPart> = NONE_HIDDEN,
): string {
  const written = { ...request, currency, test: request.test ? 'test' : '' }
  return ORDERS[variant].map((part) => (hidden.has(part) ? HIDDEN : written[part])).join('')
}

/** Calculates the canonical request hash: lower-case hexadecimal MD5. */
export const requestHash = (request: HashedRequest, secret: string): string =>
  md5(writeHashedText(request, 'canonical', request.currency.toLowerCase()) + secret)

/** A text to hash, with `***` for the secret, and its hash. */
export interface HashExample {
  readonly variant: HashVariant
  readonly text: string
  readonly hash: string
}

/** Calculates the hashes of a request by all recipes, in order of preference. */
export const listHashExamples = (request: HashedRequest, secret: string): readonly HashExample[] =>
  HASH_VARIANTS.map((variant) => {
    const text = writeHashedText(request, variant, listCurrencies(variant, request)[0] ?? '')
    return { variant, text: `${text}***`, hash: md5(text + secret) }
  })

/**
 * Compares the hash of a request with every accepted variant, in constant time.
 * @param sent hexadecimal in any case
 * @param hidden encrypted parts
 */
export function matchRequestHash(
  request: HashedRequest,
  sent: string,
  secret: string,
  accepted: readonly HashVariant[] = HASH_VARIANTS,
  hidden?: ReadonlySet<HashedPart>,
): HashMatch {
  const match = accepted.find((variant) =>
    listCurrencies(variant, request).some((currency) =>
      isSameText(sent, md5(writeHashedText(request, variant, currency) + secret)),
    ),
  )
  if (match) return { ok: true, variant: match }
  const expected = writeHashedText(
    request,
    accepted[0] ?? 'canonical',
    request.currency.toLowerCase(),
    hidden,
  )
  return { ok: false, expected: `${expected}***` }
}

function isSameText(sent: string, expected: string): boolean {
  const ours = Buffer.from(expected)
  const theirs = Buffer.from(sent.toLowerCase())
  return ours.length === theirs.length && timingSafeEqual(ours, theirs)
}

/** Parts covered by the response hash (observed: 3.3). It does not cover the test flag. */
export interface HashedResponse {
  readonly merchantId: string
  readonly paymentRef: string
  readonly customerRef: string
  /** With two decimals, as in the response. */
  readonly amount: string
  readonly currency: string
  readonly status: string
}

/** Builds the text of `response_hash`, without the secret. */
export function writeResponseText({
  merchantId,
  paymentRef,
  customerRef,
  amount,
  ...words
}: HashedResponse): string {
  const [currency, status] = [words.currency, words.status].map((word) => word.toLowerCase())
  return [merchantId, paymentRef, customerRef, amount, currency, status].join('')
}

/**
 * Calculates `response_hash` of a transaction and `hash` of a redirect: lower-case hexadecimal MD5.
 */
export const hashResponse = (response: HashedResponse, secret: string): string =>
  md5(writeResponseText(response) + secret)
