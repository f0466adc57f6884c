import type { PaymentDetails } from '../contract/transaction.ts'
import { GatewayError } from './errors.ts'
import { object, type Parameters, text } from './parameters.ts'

type Field = Exclude<keyof PaymentDetails, 'id'>

/** What may be known of a payer, in the specification's order (specification: Payment details). */
export const PAYMENT_DETAILS_FIELDS = [
  'card_number',
  'card_holder',
  'card_type',
  'customer_number',
  'personal_number',
  'first_name',
  'last_name',
  'zip',
  'country_code',
  'country',
  'address',
  'city',
  'bank_name',
  'bank_acc_lastdigits',
  'phone',
  'ssn',
  'card_issuer',
  'credit_or_debit',
  'card_country_code',
  'campaign',
  'segmentation',
  'company_name',
  'address_1',
  'address_2',
  'swish_number',
  'vipps_number',
  'email',
  'phone_prefix',
  'state_or_province',
  'gender',
] as const satisfies readonly Field[]

/** What the gateway fills in from the card itself; a merchant cannot. */
const FROM_CARD: ReadonlySet<Field> = new Set<Field>(['card_number', 'card_holder', 'card_type'])

const VALUE_LENGTH = 255

/** Details as the merchant sent them: known fields with a value only. */
export type SentPaymentDetails = Partial<Record<Field, string>>

/**
 * Reads `payment_details`; unknown fields are ignored, empty ones are not kept.
 * @throws errors.payment_details.invalid (1601) when it is no object or a value is over 255 characters
 */
export function readPaymentDetails(parameters: Parameters): SentPaymentDetails | undefined {
  const sent = object(parameters, 'payment_details', 'errors.payment_details.invalid')
  if (sent === undefined) return undefined
  const details: SentPaymentDetails = {}
  for (const field of PAYMENT_DETAILS_FIELDS) {
    const value = FROM_CARD.has(field) ? undefined : text(sent, field)
    if (value === undefined) continue
    if (value.length > VALUE_LENGTH)
      throw new GatewayError('errors.payment_details.invalid', {
        explain: `payment_details.${field} may have at most ${VALUE_LENGTH} characters`,
      })
    details[field] = value
  }
  return details
}
