import { createHmac, hash } from 'node:crypto'
import { formatAmount, type Hundredths, readAmountFilter } from '../money/money.ts'
import { HASH_VARIANTS, type HashedPart, listHashedParts, listUncoveredParts, md5 } from './hash.ts'

/** A way to calculate a hash. */
export interface HashRecipe extends Readonly<Record<HashedPart, string>> {
  readonly order: readonly HashedPart[]
  /** Separator between two parts. */
  readonly glue: string
  readonly before: string
  readonly secret: string
  digest(text: string, secret: string): string
}

/** A common mistake. Two mistakes of the same aspect are never combined. */
export interface HashMistake {
  readonly aspect: 'amount' | 'currency' | 'test' | 'refs' | 'order' | 'secret' | 'digest'
  /** The mistake and its fix. It contains no values, because parts may have been encrypted. */
  readonly says: string
  make(recipe: HashRecipe): Partial<HashRecipe>
}

/** Returns the text that a recipe hashes. */
export const writeRecipe = ({ order, glue, before, secret, ...parts }: HashRecipe) =>
  before + [...order.map((part) => parts[part]).filter((part) => part !== ''), secret].join(glue)

export const RIGHT_ORDER =
  'Use the order merchant_id + payment_ref + customer_ref + amount + currency + "test".'

/** Creates a mistake in the format of the amount. */
const describeAmountMistake = (
  says: string,
  write: (hundredths: Hundredths) => string,
): HashMistake => ({
  aspect: 'amount',
  says: `The amount was hashed ${says}. Hash it as it is sent, with two decimals.`,
  make({ amount }) {
    const hundredths = readAmountFilter(amount)
    return { amount: hundredths === undefined ? amount : write(hundredths) }
  },
})

/** Creates a mistake in the digest of the text. */
const describeDigestMistake = (how: string, digest: HashRecipe['digest']): HashMistake => ({
  aspect: 'digest',
  says: `The hash was calculated with ${how}. Use MD5 in hexadecimal.`,
  make: () => ({ digest }),
})

const describeSeparatorMistake = (glue: string, called: string): HashMistake => ({
  aspect: 'digest',
  says: `The parts were joined with ${called}. Join them without a separator.`,
  make: () => ({ glue }),
})

const mapReferences = (recipe: HashRecipe, map: (text: string) => string): Partial<HashRecipe> => ({
  paymentRef: map(recipe.paymentRef),
  customerRef: map(recipe.customerRef),
})

const COMMON: readonly HashMistake[] = [
  describeAmountMistake('without decimals', (amount) => String(amount / 100)),
  describeAmountMistake('with one decimal', (amount) => (amount / 100).toFixed(1)),
  describeAmountMistake('in hundredths', String),
  describeAmountMistake('with a comma', (amount) => formatAmount(amount).replace('.', ',')),
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
  describeDigestMistake('SHA-1', (text) => hash('sha1', text)),
  describeDigestMistake('SHA-256', (text) => hash('sha256', text)),
  describeDigestMistake('SHA-512', (text) => hash('sha512', text)),
  describeDigestMistake('HMAC, with the secret as its key', (text, secret) =>
    createHmac('md5', secret)
      .update(text.slice(0, text.length - secret.length))
      .digest('hex'),
  ),
  describeDigestMistake('MD5 in base64', (text) => hash('md5', text, 'base64')),
  describeDigestMistake('MD5 of an MD5', (text) => md5(md5(text))),
  {
    aspect: 'digest',
    says: 'The text was hashed as Latin-1. Hash it as UTF-8.',
    make: (recipe) =>
      writeRecipe(recipe).search(/[^\0-\x7f]/) < 0
        ? {}
        : { digest: (text) => hash('md5', Buffer.from(text, 'latin1') as Uint8Array) },
  },
  describeSeparatorMistake(' ', 'a space'),
  describeSeparatorMistake('+', '"+"'),
  describeSeparatorMistake(',', '","'),
  describeSeparatorMistake('|', '"|"'),
  describeSeparatorMistake('-', '"-"'),
  describeSeparatorMistake(':', '":"'),
]

/** Recipes that are accepted elsewhere. */
const RECIPES: readonly HashMistake[] = HASH_VARIANTS.map((variant) => ({
  aspect: 'order',
  says: `The recipe "${variant}" ${describeObjection(listUncoveredParts(variant))}. ${RIGHT_ORDER}`,
  make: () => ({ order: listHashedParts(variant) }),
}))

function describeObjection(open: ReturnType<typeof listUncoveredParts>) {
  return open.length > 0 ? `leaves out ${open.join(' and ')}` : 'is not accepted for this request'
}

/** Lists the known mistakes; those of the caller's own secrets, by name, come last. */
export const listMistakes = (secrets: Readonly<Record<string, string>>): HashMistake[] => [
  ...COMMON,
  ...RECIPES,
  ...Object.entries(secrets).map(
    ([called, secret]): HashMistake => ({
      aspect: 'secret',
      says: `The wrong secret was hashed: ${called}. Use the secret of this merchant.`,
      make: () => ({ secret }),
    }),
  ),
]
