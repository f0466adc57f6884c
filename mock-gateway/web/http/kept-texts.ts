import { maskNumber } from '../../domain/card/card-types.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { UNSEEN } from '../../domain/without-secrets.ts'

/** Stands for what came encrypted. */
export const ENCRYPTED = '(encrypted)'

/**
 * Stands for a value that is not written down: anything may stand in it, a code or a password too.
 */
export const NOT_KEPT = '(not kept)'

/**
 * Names whose values are written down: an allow-list, since whoever errs may send a card under any
 * other.
 */
const KEPT: ReadonlySet<string> = new Set([
  'amount',
  'authorize',
  'card_expiry',
  'card_holder',
  'card_type',
  'currency',
  'customer_ref',
  'error_url',
  'extend',
  'hash',
  'limit',
  'locale',
  'merchant_id',
  'offset',
  'order_id',
  'payment_method',
  'payment_ref',
  'plan_id',
  'process',
  'reason',
  'ref',
  'status',
  'store_card',
  'subscription_id',
  'success_url',
  'template_id',
  'test',
  'transaction_id',
  'vat_amount',
  // Of moves of the clock.
  'days',
  'months',
  'seconds',
])

/** Names of which it is told whether something came: the value never is, or masked. */
const CODE_NAME = /^card_cvv$/
const CARD_NAME = /^card_number$/

/**
 * Characters of a value and of a name, and how many values: what is longer, or more, is left out.
 */
const MOST = { characters: 512, name: 40, values: 100 } as const

/** Names that people give to parameters. */
const NAME = /^[a-z][a-z_]*$/i

/**
 * Parameters as they may be written down: names whose values are harmless with their texts, a card
 * masked, what came encrypted as `(encrypted)`, and everything else as `(not kept)`.
 */
export const keptParameters = (
  parameters: JsonObject,
  encrypted: ReadonlySet<string>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => name.length <= MOST.name && NAME.test(name))
      .slice(0, MOST.values)
      .map(([name, value]) => [name, encrypted.has(name) ? ENCRYPTED : keptValue(name, value)]),
  )

function keptValue(name: string, value: JsonValue): JsonValue {
  if (value === '' || value === null) return value
  if (CODE_NAME.test(name)) return UNSEEN
  if (CARD_NAME.test(name)) return maskedCard(value)
  if (typeof value === 'boolean') return value
  if (!KEPT.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return NOT_KEPT
  // More than is kept, so that no number is cut before it is masked; less than anybody may send.
  const text = maskCardNumbers(String(value).slice(0, 2 * MOST.characters))
  return text.length <= MOST.characters ? text : `${text.slice(0, MOST.characters)}…`
}

/** First six and last four digits, also of a number that is mistyped. */
function maskedCard(value: JsonValue): JsonValue {
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value).slice(0, MOST.characters)
      : ''
  const digits = text.replace(/\D/g, '')
  if (/^\d{6}\*+\d{4}$/.test(text)) return text
  return digits.length < 12 || digits.length > 24
    ? UNSEEN
    : maskNumber(digits.slice(0, 6), digits.slice(-4))
}
