import { PAYMENT_REQUEST_FIELDS } from '../contract/wire.ts'
import { maskNumber } from '../domain/card/card-types.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { readPaymentDetails } from './order-fields.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'
import type { CallParameters } from './parameters/parameters.ts'

type RepeatedParameter = (typeof PAYMENT_REQUEST_FIELDS)[number]

/** Parameters that are masked or read first; all others are repeated as they were sent. */
const CHANGED: readonly RepeatedParameter[] = ['payment_details', 'card_number']
const UNCHANGED = PAYMENT_REQUEST_FIELDS.filter((name) => !CHANGED.includes(name))

/**
 * Builds `payment_request`, the merchant's request as stored: parameters with a single value, the
 * known payer details, and the masked card number. Other card fields are dropped, because a card
 * number may have been typed into any of them (PCI DSS 3.3.1, 3.4.1). Lists and objects that the
 * transaction contains itself, such as items, metadata and webhooks, are not repeated unparsed
 * (decision 33). Encrypted parameters are dropped too.
 * @throws the errors of `readPaymentDetails`; none if the payment_details were read before
 */
export function maskPaymentRequest(
  parameters: CallParameters<RepeatedParameter>,
  encrypted: EncryptedNames,
): JsonObject {
  const shown: Record<string, JsonValue> = {}
  for (const name of UNCHANGED) {
    const value = parameters[name]
    if (value !== undefined && typeof value !== 'object' && !encrypted.has(name))
      shown[name] = value
  }
  const details = readPaymentDetails(parameters)
  if (details !== undefined && !encrypted.has('payment_details')) shown.payment_details = details
  const number = parameters.card_number
  if (typeof number === 'string' && number !== '' && !encrypted.has('card_number'))
    shown.card_number = maskAny(number)
  return shown
}

/**
 * Keeps the first six and last four digits of a card number, and the last four characters of
 * another value, such as a token.
 */
function maskAny(sent: string): string {
  const digits = sent.replace(/[\s-]/g, '')
  const first6 = /^\d{12,19}$/.test(digits) ? digits.slice(0, 6) : '******'
  return maskNumber(first6, digits.length < 12 ? '****' : digits.slice(-4))
}
