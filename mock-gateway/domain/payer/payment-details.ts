import type { PaymentDetails } from '../../contract/wire.ts'
import { isLongerThan } from '../characters.ts'
import { type ErrorName, GatewayError } from '../errors/errors.ts'

/** Names of payer details. */
export type PaymentDetailsField = Exclude<keyof PaymentDetails, 'id'>

/** Payer details in the order of the specification (specification: Payment details). */
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
] as const satisfies readonly PaymentDetailsField[]

/** Maximum length of a field in characters, and the error of a longer text. */
export type DetailLimits = Readonly<
  Partial<Record<PaymentDetailsField, readonly [characters: number, error: ErrorName]>>
>

/** Default limit of a field (our decision). */
const LIMIT = [255, 'errors.payment_details.invalid'] as const

/** Details as the merchant sent them: only known fields that have a value. */
export type SentPaymentDetails = Partial<Record<PaymentDetailsField, string>>

/**
 * Checks the length of each detail.
 * @param limits of the payment method
 * @returns the details
 * @throws errors.payment_details.invalid (1601) for a value of over 255 characters, and the errors
 *   of `limits`
 */
export function checkDetails(
  details: SentPaymentDetails | undefined,
  limits: DetailLimits,
): SentPaymentDetails | undefined {
  if (details)
    for (const field of PAYMENT_DETAILS_FIELDS) checkLength(field, details[field], limits)
  return details
}

function checkLength(
  field: PaymentDetailsField,
  value: string | undefined,
  limits: DetailLimits,
): void {
  const [characters, error] = limits[field] ?? LIMIT
  if (value !== undefined && isLongerThan(value, characters))
    throw new GatewayError(error, {
      explain: `payment_details.${field} may have at most ${characters} characters.`,
    })
}
