import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { parseAmount } from '../../../mock-gateway/domain/money/money.ts'
import {
  acceptedVariants,
  type HashedRequest,
  matchRequestHash,
} from '../../../mock-gateway/domain/order/hash.ts'
import { read } from '../../helpers/documents.ts'

const SECRET = 's3cr3t'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const mark = ({ test: isTest }: HashedRequest) => (isTest ? 'test' : '')

/** Text that a shop hashes, by recipe. */
const TEXTS: Readonly<Record<string, (r: HashedRequest) => string>> = {
  canonical: (r) => r.merchantId + r.paymentRef + r.customerRef + r.amount + r.currency + mark(r),
  currency_as_sent: (r) =>
    r.merchantId + r.paymentRef + r.customerRef + r.amount + r.currency + mark(r),
  A: (r) => r.merchantId + r.paymentRef + r.amount,
  B: (r) => r.merchantId + r.paymentRef + r.amount + r.currency,
  C: (r) => r.merchantId + r.paymentRef + r.amount + r.customerRef + r.currency + mark(r),
}

/** Names of the parameters, in the order of the table. */
const NAMES = {
  paymentRef: 'payment_ref',
  customerRef: 'customer_ref',
  amount: 'amount',
  currency: 'currency',
  test: 'test',
} as const
type Part = keyof typeof NAMES
const PARTS = Object.keys(NAMES) as readonly Part[]

/**
 * Orders of every kind: with and without a customer, live and test, and with order numbers of
 * digits, letters or a dot.
 */
const SIGNED: readonly HashedRequest[] = ['12', 'A12', '1.00'].flatMap((paymentRef) =>
  ['', '7', 'c7'].flatMap((customerRef) =>
    [true, false].map((isTest) => ({
      merchantId: '1',
      paymentRef,
      customerRef,
      amount: '21.00',
      currency: 'sek',
      test: isTest,
    })),
  ),
)

const piecesOf = (text: string): string[] =>
  [...text].flatMap((_, from) =>
    [...text.slice(from)].map((__, length) => text.slice(from, from + length + 1)),
  )

/** Yields every order that has the same text to hash. */
function* readingsOf({
  merchantId,
  paymentRef,
  customerRef,
  amount,
}: HashedRequest): Iterable<HashedRequest> {
  const letters = new Set([paymentRef + customerRef + amount, paymentRef + amount + customerRef])
  for (const text of letters) {
    const pieces = [...new Set(piecesOf(text))]
    const amounts = pieces.filter((piece) => parseAmount(piece).ok)
    for (const [end] of [...text].entries())
      for (const customer of ['', ...pieces])
        for (const one of amounts)
          for (const currency of ['sek', 'usd'])
            for (const isTest of [true, false])
              yield {
                merchantId,
                paymentRef: text.slice(0, end + 1),
                customerRef: customer,
                amount: one,
                currency,
                test: isTest,
              }
  }
}

/**
 * Returns the smallest sets of fields that a payer without a login can change together, for example
 * `payment_ref + amount`.
 */
function changeable(recipe: string, strict: boolean): string[] {
  const found: Part[][] = []
  const orders = SIGNED.filter(
    ({ customerRef }) => customerRef === '' || !['A', 'B'].includes(recipe),
  )
  for (const signed of orders) {
    const accepted = (customer: boolean) => acceptedVariants({ strict, customer })
    const hash = md5((TEXTS[recipe]?.(signed) ?? '') + SECRET)
    // Skips orders that the gateway does not accept from the shop itself.
    if (!matchRequestHash(signed, hash, SECRET, accepted(signed.customerRef !== '')).ok) continue
    for (const reading of readingsOf(signed)) {
      const changed = PARTS.filter((part) => reading[part] !== signed[part])
      // A set that contains a smaller found set is not one of the smallest.
      if (changed.length === 0 || found.some((set) => set.every((part) => changed.includes(part))))
        continue
      if (matchRequestHash(reading, hash, SECRET, accepted(reading.customerRef !== '')).ok)
        found.push(changed)
    }
  }
  const smallest = found.filter(
    (set) => !found.some((other) => other !== set && other.every((part) => set.includes(part))),
  )
  return smallest.map((set) => set.map((part) => NAMES[part]).join(' + ')).toSorted()
}

/**
 * Table of docs/explanation/hash.md: changes that each recipe does not detect, without and with
 * strict_hash.
 */
const documented = new Map(
  [...read('docs/explanation/hash.md').matchAll(/^\| `(\w+)` \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, recipe = '', loose, strict]) => [
      recipe,
      [loose, strict].map((cell = '') =>
        [...cell.matchAll(/`([^`]+)`/g)].map(([, set = '']) => set).toSorted(),
      ),
    ],
  ),
)

describe('a hash has no separators: docs/explanation/hash.md lists every change that a payer can make without changing the hash, for the recipe', () => {
  for (const recipe of Object.keys(TEXTS))
    test(recipe, () =>
      expect([changeable(recipe, false), changeable(recipe, true)]).toEqual(documented.get(recipe)),
    )
})
