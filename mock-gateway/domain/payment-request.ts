import { maskNumber } from './cards.ts'
import type { ParameterObject, Parameters, ParameterValue } from './parameters.ts'

/** Parameters of a payment that may be kept and shown as sent: what is not named here is not kept. */
const SHOWN = [
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
  'subscription_items',
  'hash',
  'webhook',
  'webhooks',
  'encrypted',
  'process',
  'authorize',
  'items',
  'metadata',
  'payment_details',
  'payment_method',
  'swish_number',
  'template_id',
  'locale',
] as const

/**
 * What the merchant asked for, as kept in `payment_request`: known parameters only; of the card its masked number and
 * nothing else, since a card number may have been typed into any of its fields (our decision; PCI DSS 3.3.1, 3.4.1).
 */
export function maskedPaymentRequest(parameters: Parameters): ParameterObject {
  const shown: Record<string, ParameterValue> = {}
  for (const name of SHOWN) {
    const value = parameters[name]
    if (value !== undefined) shown[name] = value
  }
  const number = parameters.card_number
  if (typeof number === 'string' && number !== '') shown.card_number = maskAny(number)
  return shown
}

/** A card number shows its first six and last four digits; anything else in its place, a token say, its last four. */
function maskAny(sent: string): string {
  const digits = sent.replace(/[\s-]/g, '')
  const first6 = /^\d{12,19}$/.test(digits) ? digits.slice(0, 6) : '******'
  return maskNumber(first6, digits.length < 12 ? '****' : digits.slice(-4))
}
