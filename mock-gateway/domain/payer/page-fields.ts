import { hasCardNumber } from '../card/rules.ts'
import { isLongerThan } from '../characters.ts'
import type { ErrorName } from '../errors/errors.ts'
import type { SentPaymentDetails } from './payment-details.ts'

/*
 * Validation rules for payer details. The payment page loads this file as a script, like
 * `domain/card/rules.ts`.
 */

/** Fields that the payment page can ask every payer for (the merchant's setting payer_details). */
export const PAYER_FIELDS = [
  'email',
  'phone',
  'first_name',
  'last_name',
  'address_1',
  'address_2',
  'zip',
  'city',
  'country_code',
] as const

export type PayerField = (typeof PAYER_FIELDS)[number]

/** Requirements of a field. */
interface FieldRule {
  /** Undefined: the field is optional. */
  readonly missing: ErrorName | undefined
  readonly wrong: ErrorName
  readonly longest: number
  readonly form?: RegExp
}

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/
const PHONE = /^\+?[\d\s()-]{5,}$/

/** Uses the rules of invoices, which require the most details (our decision). */
const FIELD_RULES: Readonly<Record<PayerField, FieldRule>> = {
  email: {
    missing: 'errors.invalid.email',
    wrong: 'errors.invalid.email',
    longest: 256,
    form: EMAIL,
  },
  phone: {
    missing: 'errors.missing_or_invalid.phone_number',
    wrong: 'errors.missing_or_invalid.phone_number',
    longest: 30,
    form: PHONE,
  },
  first_name: {
    missing: 'errors.first_name.missing',
    wrong: 'errors.missing_or_too_long.first_name',
    longest: 100,
  },
  last_name: {
    missing: 'errors.last_name.missing',
    wrong: 'errors.missing_or_too_long.last_name',
    longest: 100,
  },
  address_1: {
    missing: 'errors.address.missing',
    wrong: 'errors.missing_or_too_long.address_1',
    longest: 100,
  },
  address_2: {
    missing: undefined,
    wrong: 'errors.invoice.validation_address2_length',
    longest: 100,
  },
  zip: { missing: 'errors.zip.missing', wrong: 'errors.missing_or_too_long.zip_code', longest: 10 },
  city: { missing: 'errors.city.missing', wrong: 'errors.missing_or_too_long.city', longest: 100 },
  country_code: {
    missing: 'errors.country_code.missing',
    wrong: 'errors.missing_or_invalid.country_code',
    longest: 3,
    form: /^[A-Z]{3}$/,
  },
}

/** A problem with a field. */
export interface FieldProblem {
  readonly field: PayerField
  readonly error: ErrorName
}

/**
 * Lists the problems of typed details, in the order of the fields. No field accepts a card number.
 */
export function findPayerProblems(
  fields: readonly PayerField[],
  typed: SentPaymentDetails,
): FieldProblem[] {
  return fields.flatMap((field) => {
    const error = findFieldError(FIELD_RULES[field], typed[field]?.trim() ?? '')
    return error ? [{ field, error }] : []
  })
}

function findFieldError(
  { missing, wrong, longest, form }: FieldRule,
  value: string,
): ErrorName | undefined {
  if (value === '') return missing
  // A phone number with all prefixes is as long as a card number.
  const isCard = form !== PHONE && hasCardNumber(value)
  const isRight = !isLongerThan(value, longest) && !isCard && (form?.test(value) ?? true)
  return isRight ? undefined : wrong
}
