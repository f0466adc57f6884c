import {
  PAYMENT_DETAILS_FIELDS,
  type PaymentDetailsField,
  type SentPaymentDetails,
} from '../domain/payer/payment-details.ts'
import { type CallParameters, object, text } from './parameters/parameters.ts'

/** What the gateway fills in from the card itself; a merchant cannot. */
const FROM_CARD: ReadonlySet<PaymentDetailsField> = new Set<PaymentDetailsField>([
  'card_number',
  'card_holder',
  'card_type',
])

/**
 * The known fields of `payment_details` that have a value; the parameter `swish_number` counts as
 * the field of this name (specification: Create transaction, Payment details). What else they hold
 * is not kept, least of all a card.
 * @throws errors.payment_details.invalid (1601) when it is no object
 */
export function readSentDetails(
  sent: CallParameters<'payment_details' | 'swish_number'>,
): SentPaymentDetails | undefined {
  const details = readPaymentDetails(sent)
  const swishNumber = text(sent, 'swish_number')
  return swishNumber === undefined ? details : { ...details, swish_number: swishNumber }
}

/** As `readSentDetails`, of `payment_details` alone. */
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
