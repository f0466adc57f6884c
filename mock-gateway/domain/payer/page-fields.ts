import { holdsCardNumber } from '../card/rules.ts'
import { isLongerThan } from '../characters.ts'
import type { ErrorName } from '../errors/errors.ts'
import type { SentPaymentDetails } from './payment-details.ts'

/*
 * What is right and wrong about what a payer types of itself. The payment page has this file as a
 * script: see card-rules.
 */

/** What the payment page may ask of every payer (the merchant's setting payer_details). */
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

/** What a field must be. */
interface FieldRule {
  /** Undefined: it may be left out. */
  readonly missing: ErrorName | undefined
  readonly wrong: ErrorName
  readonly longest: number
  readonly form?: RegExp
}

const EMAIL = /^[^\s@]+@[^\s@][^\s@.]*\.[^\s@]+$/
const PHONE = /^\+?[\d\s()-]{5,}$/

/** By the rules of an invoice, which knows most of its payer (our decision). */
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

/** Something that is wrong with a field. */
export interface FieldProblem {
  readonly field: PayerField
  readonly error: ErrorName
}

/**
 * What is wrong with what a payer typed, in the order of the fields. A card number belongs into
 * none of them.
 */
export function payerProblems(
  asked: readonly PayerField[],
  typed: SentPaymentDetails,
): FieldProblem[] {
  return asked.flatMap((field) => {
    const error = fieldError(FIELD_RULES[field], typed[field]?.trim() ?? '')
    return error ? [{ field, error }] : []
  })
}

function fieldError(
  { missing, wrong, longest, form }: FieldRule,
  value: string,
): ErrorName | undefined {
  if (value === '') return missing
  // A phone number with all its codes is as long as a card number.
  const isCard = form !== PHONE && holdsCardNumber(value)
  const isRight = !isLongerThan(value, longest) && !isCard && (form?.test(value) ?? true)
  return isRight ? undefined : wrong
}
