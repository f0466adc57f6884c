import type { Item } from '../../contract/wire.ts'
import { isLongerThan } from '../characters.ts'
import { type ErrorName, GatewayError } from '../errors/errors.ts'
import { type JsonObject, text } from '../json.ts'
import {
  EXACT_UNITS,
  formatAmount,
  formatExact,
  type Hundredths,
  hundredths,
  parseExactAmount,
} from '../money/money.ts'

interface FieldRule {
  readonly name: string
  readonly missing?: ErrorName
  /** Maximum length in characters, and the error of a longer text. */
  readonly longest?: readonly [characters: number, error: ErrorName]
}

/**
 * Specification: Item. A long artno gets the catalogue's error for the article id of an invoice
 * (our decision).
 */
const RULES: readonly FieldRule[] = [
  {
    name: 'artno',
    missing: 'errors.items.artno_missing',
    longest: [50, 'errors.invoice.validation_article_id_length'],
  },
  {
    name: 'description',
    missing: 'errors.items.description_missing',
    longest: [150, 'errors.items.description_too_long'],
  },
  { name: 'amount', missing: 'errors.items.amount_missing' },
  { name: 'qty', missing: 'errors.items.qty_missing' },
  { name: 'vat', missing: 'errors.items.vat_missing' },
  { name: 'discount' },
  { name: 'notes', longest: [250, 'errors.items.notes_too_long'] },
]

/** Names of the fields of an item (specification: Item). */
export const ITEM_FIELDS: readonly string[] = RULES.map(({ name }) => name)

/**
 * Returns the error of items, each a JSON object as sent; undefined if they are valid.
 * @param required true for invoices: at least one item, with every required field. Other payments
 *   may omit fields, but the fields they send must be valid (decision 36)
 */
export function findItemsRefusal(
  items: readonly JsonObject[],
  required: boolean,
): GatewayError | undefined {
  if (required && items.length === 0)
    return new GatewayError('errors.items.missing', {
      explain: 'This payment method needs at least one item.',
    })
  for (const [index, item] of items.entries()) {
    const refusal = findItemRefusal(item, `items[${index}]`, required)
    if (refusal) return refusal
  }
  return undefined
}

/**
 * Checks items; unknown keys are kept.
 * @throws errors.items.missing, errors.items.amount_not_valid, and for single fields
 *   errors.items.artno_missing, .description_missing, .description_too_long, .amount_missing,
 *   .qty_missing, .vat_missing, .notes_too_long, errors.invoice.validation_article_id_length
 */
export function checkItems(
  items: readonly JsonObject[],
  { required }: { required: boolean },
): readonly Item[] {
  const refusal = findItemsRefusal(items, required)
  if (refusal) throw refusal
  return items as readonly Item[]
}

function findItemRefusal(
  item: JsonObject,
  where: string,
  required: boolean,
): GatewayError | undefined {
  for (const { name, missing, longest } of RULES) {
    const sent = text(item, name)
    if (required && missing !== undefined && sent === undefined)
      return new GatewayError(missing, { explain: `${where} has no ${name}.` })
    if (longest !== undefined && isLongerThan(sent ?? '', longest[0]))
      return new GatewayError(longest[1], {
        explain: `The ${name} of ${where} is longer than ${longest[0]} characters.`,
      })
  }
  if (calculateItemAmount(item) !== undefined) return undefined
  const explain = `The amount of ${where} must be a decimal number such as 100, 100.00 or -5.50, of at most 20 decimals.`
  return new GatewayError('errors.items.amount_not_valid', { explain })
}

/**
 * Returns the amount of one item in units of `parseExactAmount`; an item without an amount costs
 * nothing. Undefined if the amount is not readable.
 */
const calculateItemAmount = (item: JsonObject): bigint | undefined =>
  parseExactAmount(text(item, 'amount') ?? '0')

/** Adds up all items exactly: rounding each would turn 9.996 into 10.00. */
const calculateExactTotal = (items: readonly Item[]): bigint =>
  items.reduce((sum, item) => sum + (calculateItemAmount(item as JsonObject) ?? 0n), 0n)

/**
 * Adds up all items. An item's amount is the total of its units, in whole units of the currency.
 * @throws errors.items.amount_not_valid (259) if the sum is too large or not a whole number of
 *   hundredths
 */
export function calculateItemsTotal(items: readonly Item[]): Hundredths {
  const exact = calculateExactTotal(items)
  const total = Number(exact / EXACT_UNITS)
  if (Number.isSafeInteger(total) && exact % EXACT_UNITS === 0n) return hundredths(total)
  const explain = 'The sum of the items is too large, or has more than two decimals.'
  throw new GatewayError('errors.items.amount_not_valid', { explain })
}

/** Returns true if the items add up exactly to an amount. */
export const hasTotal = (items: readonly Item[], amount: Hundredths): boolean =>
  calculateExactTotal(items) === BigInt(amount) * EXACT_UNITS

/**
 * Compares the items with the amount of their transaction, as invoices require.
 * @throws errors.items.transaction_amount_mismatch (260) if they do not add up to it exactly
 */
export function checkItemsTotal(items: readonly Item[], amount: Hundredths): void {
  if (hasTotal(items, amount)) return
  const explain = `The items add up to ${formatExact(calculateExactTotal(items))}, but the amount of the transaction is ${formatAmount(amount)}.`
  throw new GatewayError('errors.items.transaction_amount_mismatch', { explain })
}
