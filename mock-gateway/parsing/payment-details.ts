import {
  PAYMENT_DETAILS_FIELDS,
  type PaymentDetailsField,
  type SentPaymentDetails,
} from '../domain/payer/payment-details.ts'
import { type CallParameters, object, text } from './parameters/parameters.ts'

/** Details that the gateway reads from the card; a merchant cannot set them. */
const FROM_CARD: ReadonlySet<PaymentDetailsField> = new Set<PaymentDetailsField>([
  'card_number',
  'card_holder',
  'card_type',
])

/**
 * Reads the known fields of `payment_details` that have a value; the parameter `swish_number`
 * counts as the field of this name (specification: Create transaction, Payment details). Other
 * fields, such as card data, are dropped.
 * @throws errors.payment_details.invalid (1601) if it is not an object
 */
export function readSentDetails(
  sent: CallParameters<'payment_details' | 'swish_number'>,
): SentPaymentDetails | undefined {
  const details = readPaymentDetails(sent)
  const swishNumber = text(sent, 'swish_number')
  return swishNumber === undefined ? details : { ...details, swish_number: swishNumber }
}

/** Like `readSentDetails`, but only reads `payment_details`. */
export function readPaymentDetails(
  sent: CallParameters<'payment_details'>,
): SentPaymentDetails | undefined {
  const given = object(sent, 'payment_details', 'errors.payment_details.invalid')
  if (given === undefined) return undefined
  const details: SentPaymentDetails = {}
  for (const field of PAYMENT_DETAILS_FIELDS) {
    const value = FROM_CARD.has(field) ? undefined : text(given, field)
    if (value !== undefined) details[field] = value
  }
  return details
}
