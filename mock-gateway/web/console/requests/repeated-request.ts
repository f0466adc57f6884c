import { TEST_CARDS, testCard } from '../../../domain/card/test-cards.ts'
import { badFormat, GatewayError } from '../../../domain/errors/errors.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { acceptedVariants, hashesOf } from '../../../domain/order/hash.ts'
import { UNSEEN } from '../../../domain/secrets.ts'
import { NONE_ENCRYPTED } from '../../../parsing/parameters/decrypt.ts'
import { isSent, pick } from '../../../parsing/parameters/parameters.ts'
import { HASHED_FIELDS, readHash } from '../../../parsing/request-hash.ts'
import { ENCRYPTED, NOT_KEPT } from '../../http/kept-texts.ts'
import { type Field, fieldsIn } from './snippets.ts'

/** Choices for the hash of a repeated request. */
export const HASHES = {
  right: 'Calculate the right hash',
  kept: 'Send the hash of the form',
  wrong: 'Send a wrong hash',
} as const
export type HashChoice = keyof typeof HASHES

/** A security code that the simulated bank approves. */
const GOOD_CVV = '200'

/**
 * Restores the fields of a request for its repetition: values that were not stored are empty, test
 * cards are complete.
 */
export const restoreFields = (sent: JsonObject): Field[] =>
  fieldsIn(sent)
    .filter(([name]) => name !== 'encrypted')
    .map(([name, value]): Field => {
      if (name === 'card_number') return [name, findTestCard(value)]
      if (name === 'card_cvv') return [name, value === '' ? '' : GOOD_CVV]
      return [name, NOT_STORED.has(value) ? '' : value]
    })

const NOT_STORED: ReadonlySet<string> = new Set([NOT_KEPT, ENCRYPTED, UNSEEN])

/** Finds the test card with these digits around its stars; empty if there is none. */
function findTestCard(masked: string): string {
  const [, first = '', last = ''] = /^(\d{6})\*+(\d{4})$/.exec(masked) ?? []
  if (first === '') return ''
  return (
    [...TEST_CARDS.keys()].find((number) => number.startsWith(first) && number.endsWith(last)) ?? ''
  )
}

/** Removes cards other than test cards from a form. */
export const withoutCards = (fields: readonly Field[]): Field[] =>
  fields.map(([name, value]) => [name, isSecret(name, value) ? '' : value])

const isSecret = (name: string, value: string) =>
  name === 'card_cvv' || (name === 'card_number' && testCard(value) === undefined)

/** Parses one field per line, as `name=value`. @throws errors.request.bad_format (253) */
export const parseFieldLines = (text: string): Field[] =>
  text
    .split(/\r?\n/)
    .filter((line) => line.trim() !== '')
    .map((line): Field => {
      const [, name, value] = /^\s*([^=\s]+)=(.*)$/.exec(line) ?? []
      if (name !== undefined && value !== undefined) return [name, value]
      throw badFormat('more: write one field on each line, for example metadata[a]=1.')
    })

/**
 * Adds the chosen hash to the fields. A value that cannot be hashed, such as a `test` that is
 * neither true nor false, is sent as it is, because the user wants to see the rejection.
 * @param login whether the merchant logs in: without a login, some recipes are not accepted
 */
export function withHash(
  fields: readonly Field[],
  choice: HashChoice,
  merchant: Merchant,
  login: boolean,
): Field[] {
  const others = fields.filter(([name]) => name !== 'hash')
  const made = choice === 'kept' ? undefined : hashOf(Object.fromEntries(others), merchant, login)
  if (made === undefined) return [...fields]
  return [...others, ['hash', choice === 'right' ? made : falsifyHash(made)]]
}

function hashOf(
  sent: JsonObject,
  { id, secret, settings }: Merchant,
  login: boolean,
): string | undefined {
  try {
    const hashed = pick(sent, HASHED_FIELDS)
    const {
      paymentRef = '',
      customerRef = '',
      amount = '',
      currency = '',
      test = false,
    } = readHash(hashed, NONE_ENCRYPTED)
    const customer = !login && isSent(hashed, 'customer_ref')
    const [best] = acceptedVariants({ strict: settings.strict_hash, customer })
    const order = { merchantId: String(id), paymentRef, customerRef, amount, currency, test }
    return hashesOf(order, secret).find(({ variant }) => variant === best)?.hash
  } catch (error) {
    if (error instanceof GatewayError) return undefined
    throw error
  }
}

/** Changes a hash, so that it is wrong. */
const falsifyHash = (hash: string): string =>
  hash.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))

/** Changes a payment_ref that may already be paid. @param tail unique suffix */
export const withNewRef = (fields: readonly Field[], before: JsonObject, tail: string): Field[] =>
  fields.map(([name, value]) =>
    REFS.has(name) && value === before[name]
      ? [name, `${value.slice(0, LONGEST_BEFORE_TAIL)}-${tail}`]
      : [name, value],
  )

const REFS: ReadonlySet<string> = new Set(['payment_ref', 'order_id'])

/** A payment_ref has 64 characters at most. */
const LONGEST_BEFORE_TAIL = 50
