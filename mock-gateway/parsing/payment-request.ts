import { maskNumber } from '../domain/card/card-types.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import type { EncryptedNames } from './parameters/decrypt.ts'
import type { CallParameters } from './parameters/parameters.ts'
import { readPaymentDetails } from './payment-details.ts'

/**
 * Parameters of a payment that hold one value and may be shown as sent: what is not named here is
 * not kept.
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
 * What the merchant asked for, as kept in `payment_request`: known parameters, each with one value;
 * of the payer the known details; of the card its masked number and nothing else, since a card
 * number may have been typed into any of its fields (PCI DSS 3.3.1, 3.4.1). Lists and objects that
 * the transaction shows itself, such as items, metadata and webhooks, are not repeated here, where
 * they would come unread (decision 33). Nor is what came encrypted.
 * @throws what `sentDetails` throws; nothing when the payment_details were read before
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
 * A card number shows its first six and last four digits; anything else in its place, a token say,
 * its last four.
 */
function maskAny(sent: string): string {
  const digits = sent.replace(/[\s-]/g, '')
  const first6 = /^\d{12,19}$/.test(digits) ? digits.slice(0, 6) : '******'
  return maskNumber(first6, digits.length < 12 ? '****' : digits.slice(-4))
}
