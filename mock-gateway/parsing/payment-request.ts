import { maskNumber } from '../domain/card/card-types.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'
import type { CallParameters } from './parameters/parameters.ts'
import { readPaymentDetails } from './payment-details.ts'

/**
 * Parameters of a payment with a single value that may be shown as sent; all others are dropped.
 */
const SHOWN_PARAMETERS = [
  'merchant_id',
  'amount',
  'vat_amount',
  'payment_ref',
  'order_id',
  'currency',
  'customer_ref',
  'success_url',
  'error_url',
  'test',
  'store_card',
  'plan_id',
  'start_date',
  'subscription_quantity',
  'hash',
  'process',
  'authorize',
  'payment_method',
  'swish_number',
  'template_id',
  'locale',
] as const

type MaskedParameters = (typeof SHOWN_PARAMETERS)[number] | 'payment_details' | 'card_number'

/**
 * Builds `payment_request`, the merchant's request as stored: known parameters with a single value,
 * the known payer details, and the masked card number. Other card fields are dropped, because a
 * card number may have been typed into any of them (PCI DSS 3.3.1, 3.4.1). Lists and objects that
 * the transaction contains itself, such as items, metadata and webhooks, are not repeated unparsed
 * (decision 33). Encrypted parameters are dropped too.
 * @throws the errors of `readPaymentDetails`; none if the payment_details were read before
 */
export function maskedPaymentRequest(
  parameters: CallParameters<MaskedParameters>,
  encrypted: EncryptedNames,
): JsonObject {
  const shown: Record<string, JsonValue> = {}
  for (const name of SHOWN_PARAMETERS) {
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
