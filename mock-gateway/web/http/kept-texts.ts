import { maskNumber } from '../../domain/card/card-types.ts'
import { maskCardNumbers } from '../../domain/card/numbers.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import { UNSEEN } from '../../domain/secrets.ts'

/** Replaces encrypted values. */
export const ENCRYPTED = '(encrypted)'

/**
 * Replaces values that are not stored, because they may contain a security code or a password.
 */
export const NOT_KEPT = '(not kept)'

/**
 * Parameters whose values are stored. This is an allow-list, because a client may send a card
 * number in any other parameter by mistake.
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
  // For changes of the clock.
  'days',
  'months',
  'seconds',
])

/** Maximum characters of a value and of a name, and maximum number of values. */
const LIMITS = { characters: 512, name: 40, values: 100 } as const

/** Pattern of parameter names. */
const NAME = /^[a-z][a-z_]*$/i

/**
 * Returns parameters as they are stored: harmless ones with their text, a masked card,
 * `(encrypted)` for encrypted values, and `(not kept)` for all others.
 */
export const maskParameters = (
  parameters: JsonObject,
  encrypted: ReadonlySet<string>,
): JsonObject =>
  Object.fromEntries(
    Object.entries(parameters)
      .filter(([name]) => name.length <= LIMITS.name && NAME.test(name))
      .slice(0, LIMITS.values)
      .map(([name, value]) => [name, encrypted.has(name) ? ENCRYPTED : maskValue(name, value)]),
  )

function maskValue(name: string, value: JsonValue): JsonValue {
  if (value === '' || value === null) return value
  if (name === 'card_cvv') return UNSEEN
  if (name === 'card_number') return maskCard(value)
  if (typeof value === 'boolean') return value
  if (!KEPT.has(name) || (typeof value !== 'string' && typeof value !== 'number')) return NOT_KEPT
  // Masks more text than is stored, so that no card number is cut before it is masked.
  const text = maskCardNumbers(String(value).slice(0, 2 * LIMITS.characters))
  return text.length <= LIMITS.characters ? text : `${text.slice(0, LIMITS.characters)}…`
}

/** Keeps the first six and last four digits, even if the number is invalid. */
function maskCard(value: JsonValue): JsonValue {
  const text =
    typeof value === 'string' || typeof value === 'number'
      ? String(value).slice(0, LIMITS.characters)
      : ''
  const digits = text.replace(/\D/g, '')
  if (/^\d{6}\*+\d{4}$/.test(text)) return text
  return digits.length < 12 || digits.length > 24
    ? UNSEEN
    : maskNumber(digits.slice(0, 6), digits.slice(-4))
}
