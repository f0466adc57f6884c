import { createHmac, hash } from 'node:crypto'
import { amountIn, formatAmount, type Hundredths } from '../money/money.ts'
import {
  HASH_VARIANTS,
  type HashedPart,
  type HashedRequest,
  partsOf,
  spellingsOf,
  uncoveredParts,
} from './hash.ts'

/** A rejected hash, with the values it should cover. */
export interface RejectedHash {
  readonly request: HashedRequest
  readonly sent: string
  readonly secret: string
  /**
   * Values that could have been used instead of the secret, by name; empty if the caller may not
   * see them.
   */
  readonly mistaken?: Readonly<Record<string, string>>
}

/**
 * Depth of the search. `one`: a single mistake, for an error response. `all`: up to two mistakes at
 * once, and every order of the parts, for a page.
 */
export type SearchDepth = 'one' | 'all'

/** A way to calculate a hash. */
interface HashRecipe extends Readonly<Record<HashedPart, string>> {
  readonly order: readonly HashedPart[]
  /** Separator between two parts. */
  readonly glue: string
  readonly before: string
  readonly secret: string
  digest(text: string, secret: string): string
}

/** A common mistake. Two mistakes of the same aspect are never combined. */
interface HashMistake {
  readonly aspect: 'amount' | 'currency' | 'test' | 'refs' | 'order' | 'secret' | 'digest'
  /** The mistake and its fix. It contains no values, because parts may have been encrypted. */
  readonly says: string
  make(recipe: HashRecipe): Partial<HashRecipe>
}

/**
 * Finds the mistake in a hash.
 * @returns sentences; empty if no common mistake matches. Never contains a
 *   secret or the sent value
 */
export function diagnoseHash(rejected: RejectedHash, depth: SearchDepth): readonly string[] {
  const { sent } = rejected
  if (Object.values(rejected.request).join('').length > LONGEST) return []
  if (sent !== sent.trim())
    return [BLANKS, ...diagnoseHash({ ...rejected, sent: sent.trim() }, depth)]
  for (const amount of spellingsOf(rejected.request.amount)) {
    const base = canonicalRecipe({ ...rejected, request: { ...rejected.request, amount } })
    if (matchesSent(base, sent)) return []
    if (sent === textOf(base) || sent === textOf({ ...base, secret: '' }))
      return ['The text itself was sent. Send its MD5.']
    const mistakes = [...COMMON, ...RECIPES, ...mistakenSecrets(rejected)].filter((each) =>
      hasEffect(each, base),
    )
    const found =
      depth === 'one'
        ? findSingleMistake(mistakes, base, sent)
        : findCombinedMistakes(mistakes, base, sent)
    if (found.length > 0) return found
  }
  return []
}

/** Maximum number of characters to hash, because each attempt hashes all of them. */
const LONGEST = 4_096

const BLANKS = 'The hash has spaces around it. Remove them.'

function findSingleMistake(
  mistakes: readonly HashMistake[],
  base: HashRecipe,
  sent: string,
): readonly string[] {
  const found = mistakes.find(({ make }) => matchesSent({ ...base, ...make(base) }, sent))
  return found ? [found.says] : []
}

/** Finds one mistake, two of different aspects, or another order of the parts. */
function findCombinedMistakes(
  mistakes: readonly HashMistake[],
  base: HashRecipe,
  sent: string,
): readonly string[] {
  const one = findSingleMistake(mistakes, base, sent)
  if (one.length > 0) return one
  for (const [index, { aspect, says, make }] of mistakes.entries()) {
    const others = mistakes.slice(index + 1).filter((other) => other.aspect !== aspect)
    const [other] = findSingleMistake(others, { ...base, ...make(base) }, sent)
    if (other) return [says, other]
  }
  const order = ordersOf(base).find((each) => matchesSent({ ...base, order: each }, sent))
  return order
    ? [`The parts were hashed as ${order.map((part) => NAMES[part]).join(' + ')}. ${RIGHT_ORDER}`]
    : []
}

const md5 = (text: string) => hash('md5', text)

const canonicalRecipe = ({ request, secret }: RejectedHash): HashRecipe => ({
  ...request,
  currency: request.currency.toLowerCase(),
  test: request.test ? 'test' : '',
  order: partsOf('canonical'),
  glue: '',
  before: '',
  secret,
  digest: md5,
})

const textOf = ({ order, glue, before, secret, ...parts }: HashRecipe) =>
  before + [...order.map((part) => parts[part]).filter((part) => part !== ''), secret].join(glue)

function matchesSent(recipe: HashRecipe, sent: string): boolean {
  const made = recipe.digest(textOf(recipe), recipe.secret)
  return made === sent || made === sent.toLowerCase()
}

/** Returns false if the mistake would not change the recipe. */
const hasEffect = ({ make }: HashMistake, base: HashRecipe) =>
  Object.entries(make(base)).some(([name, value]) => value !== base[name as keyof HashRecipe])

const NAMES: Readonly<Record<HashedPart, string>> = {
  merchantId: 'merchant_id',
  paymentRef: 'payment_ref',
  customerRef: 'customer_ref',
  amount: 'amount',
  currency: 'currency',
  test: '"test"',
}

const RIGHT_ORDER =
  'Use the order merchant_id + payment_ref + customer_ref + amount + currency + "test".'

/** Creates a mistake in the format of the amount. */
const amountMistake = (says: string, write: (hundredths: Hundredths) => string): HashMistake => ({
  aspect: 'amount',
  says: `The amount was hashed ${says}. Hash it as it is sent, with two decimals.`,
  make({ amount }) {
    const hundredths = amountIn(amount)
    return { amount: hundredths === undefined ? amount : write(hundredths) }
  },
})

/** Creates a mistake in the digest of the text. */
const digestMistake = (how: string, digest: HashRecipe['digest']): HashMistake => ({
  aspect: 'digest',
  says: `The hash was calculated with ${how}. Use MD5 in hexadecimal.`,
  make: () => ({ digest }),
})

const separatorMistake = (glue: string, called: string): HashMistake => ({
  aspect: 'digest',
  says: `The parts were joined with ${called}. Join them without a separator.`,
  make: () => ({ glue }),
})

const mapReferences = (recipe: HashRecipe, map: (text: string) => string): Partial<HashRecipe> => ({
  paymentRef: map(recipe.paymentRef),
  customerRef: map(recipe.customerRef),
})

const COMMON: readonly HashMistake[] = [
  amountMistake('without decimals', (amount) => String(amount / 100)),
  amountMistake('with one decimal', (amount) => (amount / 100).toFixed(1)),
  amountMistake('in hundredths', String),
  amountMistake('with a comma', (amount) => formatAmount(amount).replace('.', ',')),
  {
    aspect: 'amount',
    says: 'The amount was left out. Hash it as it is sent.',
    make: () => ({ amount: '' }),
  },
  {
    aspect: 'currency',
    says: 'The currency was hashed in capitals. Hash it in lower case.',
    make: ({ currency }) => ({ currency: currency.toUpperCase() }),
  },
  {
    aspect: 'currency',
    says: 'The currency was left out. Hash it after the amount, in lower case.',
    make: () => ({ currency: '' }),
  },
  {
    aspect: 'currency',
    says: 'The currency was lowered with Turkish rules, which turn I into ı. Lower it without a locale.',
    make: ({ currency }) => ({ currency: currency.replaceAll('i', 'ı') }),
  },
  {
    aspect: 'test',
    says: 'The word test was left out. Hash it after the currency if test is true.',
    make: ({ test }) => ({ test: test && '' }),
  },
  {
    aspect: 'test',
    says: 'The word test was hashed, but the request has no test=true. Leave the word out, or send test=true.',
    make: ({ test }) => ({ test: test || 'test' }),
  },
  ...['true', '1', 'false', '0'].map(
    (word): HashMistake => ({
      aspect: 'test',
      says: `"${word}" was hashed for test. Hash the word "test" if test is true, and nothing if it is false.`,
      make: () => ({ test: word }),
    }),
  ),
  {
    aspect: 'refs',
    says: 'customer_ref was sent and not hashed. Hash it after payment_ref, or do not send it.',
    make: () => ({ customerRef: '' }),
  },
  ...['null', 'undefined', 'None', '0'].map(
    (word): HashMistake => ({
      aspect: 'refs',
      says: `"${word}" was hashed for an empty customer_ref. Hash nothing for it.`,
      make: ({ customerRef }) => ({ customerRef: customerRef || word }),
    }),
  ),
  {
    aspect: 'refs',
    says: 'payment_ref or customer_ref was sent with spaces around it, but hashed without them. Send the hashed text.',
    make: (recipe) => mapReferences(recipe, (text) => text.trim()),
  },
  {
    aspect: 'refs',
    says: 'payment_ref or customer_ref was URL-encoded before it was hashed. Hash the plain text.',
    make: (recipe) => mapReferences(recipe, encodeURIComponent),
  },
  ...['NFC', 'NFD'].map(
    (form): HashMistake => ({
      aspect: 'refs',
      says: `payment_ref or customer_ref was hashed in the Unicode form ${form}, but not sent in it. Hash the text that you send.`,
      make: (recipe) => mapReferences(recipe, (text) => text.normalize(form)),
    }),
  ),
  {
    aspect: 'refs',
    says: 'payment_ref was left out. Hash it after merchant_id.',
    make: () => ({ paymentRef: '' }),
  },
  {
    aspect: 'order',
    says: 'merchant_id was left out. Hash it first.',
    make: () => ({ merchantId: '' }),
  },
  {
    aspect: 'secret',
    says: 'The secret was hashed first. Hash it last.',
    make: ({ secret }) => ({ before: secret, secret: '' }),
  },
  {
    aspect: 'secret',
    says: 'The secret was left out. Hash it last.',
    make: () => ({ secret: '' }),
  },
  ...[' ', '\n', '\r\n'].map(
    (end): HashMistake => ({
      aspect: 'secret',
      says: 'A space or line end follows the secret, for example from a file. Remove it.',
      make: ({ secret }) => ({ secret: secret + end }),
    }),
  ),
  digestMistake('SHA-1', (text) => hash('sha1', text)),
  digestMistake('SHA-256', (text) => hash('sha256', text)),
  digestMistake('SHA-512', (text) => hash('sha512', text)),
  digestMistake('HMAC, with the secret as its key', (text, secret) =>
    createHmac('md5', secret)
      .update(text.slice(0, text.length - secret.length))
      .digest('hex'),
  ),
  digestMistake('MD5 in base64', (text) => hash('md5', text, 'base64')),
  digestMistake('MD5 of an MD5', (text) => md5(md5(text))),
  {
    aspect: 'digest',
    says: 'The text was hashed as Latin-1. Hash it as UTF-8.',
    make: (recipe) =>
      textOf(recipe).search(/[^\0-\x7f]/) < 0
        ? {}
        : { digest: (text) => hash('md5', Buffer.from(text, 'latin1') as Uint8Array) },
  },
  separatorMistake(' ', 'a space'),
  separatorMistake('+', '"+"'),
  separatorMistake(',', '","'),
  separatorMistake('|', '"|"'),
  separatorMistake('-', '"-"'),
  separatorMistake(':', '":"'),
]

/** Recipes that are accepted elsewhere. */
const RECIPES: readonly HashMistake[] = HASH_VARIANTS.map((variant) => ({
  aspect: 'order',
  says: `The recipe "${variant}" ${whyNot(uncoveredParts(variant))}. ${RIGHT_ORDER}`,
  make: () => ({ order: partsOf(variant) }),
}))

function whyNot(open: ReturnType<typeof uncoveredParts>) {
  return open.length > 0 ? `leaves out ${open.join(' and ')}` : 'is not accepted for this request'
}

const mistakenSecrets = ({ mistaken = {} }: RejectedHash): HashMistake[] =>
  Object.entries(mistaken).map(([called, secret]) => ({
    aspect: 'secret',
    says: `The wrong secret was hashed: ${called}. Use the secret of this merchant.`,
    make: () => ({ secret }),
  }))

/** Lists every order of the parts that are not empty, at most 720. */
function ordersOf(base: HashRecipe): readonly (readonly HashedPart[])[] {
  const orders = (left: readonly HashedPart[]): HashedPart[][] =>
    left.length === 0
      ? [[]]
      : left.flatMap((part) =>
          orders(left.filter((each) => each !== part)).map((rest) => [part, ...rest]),
        )
  return orders(base.order.filter((part) => base[part] !== ''))
}
