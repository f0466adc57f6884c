import { TEST_CARDS, testCard } from '../../../domain/card/test-cards.ts'
import { badFormat } from '../../../domain/errors/errors.ts'
import type { JsonObject } from '../../../domain/json.ts'
import type { Merchant } from '../../../domain/merchant.ts'
import { acceptedVariants, hashedPartsOf, hashesOf } from '../../../domain/order/hash.ts'
import { UNSEEN } from '../../../domain/secrets.ts'
import { ENCRYPTED, NOT_KEPT } from '../../http/kept-texts.ts'
import { type Field, fieldsIn } from './snippets.ts'

/** Choices for the hash of a repeated request. */
export const HASHES = {
  right: 'Calculate the right hash',
  kept: 'Send the hash of the form',
  wrong: 'Send a wrong hash',
} as const

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
 * Adds the chosen hash to the fields.
 * @param choice one of `HASHES`; the right hash by default
 * @param login whether the merchant logs in: without a login, some recipes are not accepted
 */
export function withHash(
  fields: readonly Field[],
  choice: string,
  { id, secret, settings }: Merchant,
  login: boolean,
): Field[] {
  if (choice === 'kept') return [...fields]
  const others = fields.filter(([name]) => name !== 'hash')
  const sent = Object.fromEntries(others)
  const order = hashedPartsOf(id, { ...sent, payment_ref: sent.payment_ref ?? sent.order_id })
  const customer = !login && order.customerRef !== ''
  const [best] = acceptedVariants({ strict: settings.strict_hash, customer })
  const hash = hashesOf(order, secret).find(({ variant }) => variant === best)?.hash ?? ''
  return [...others, ['hash', choice === 'wrong' ? falsifyHash(hash) : hash]]
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
