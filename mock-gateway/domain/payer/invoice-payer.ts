import { type ErrorName, GatewayError } from '../errors/errors.ts'
import type { DetailLimits, PaymentDetailsField, SentPaymentDetails } from './payment-details.ts'
import {
  findInvoiceCountry,
  type InvoiceCountry,
  looksLikeCountry,
  parseOrganisationNumber,
  parsePersonalNumber,
  shortenSwedishNumber,
} from './personal-numbers.ts'

type Segmentation = 'b2c' | 'b2b'

/** Requirements of an invoice for one field of `payment_details`. */
interface FieldRule {
  readonly field: PaymentDetailsField
  /** Alternative name; used if `field` has no value. */
  readonly alias?: PaymentDetailsField
  /** Error of a missing value; absent for optional fields. */
  readonly missing?: ErrorName
  /** Restricts the field to one kind of payer. */
  readonly only?: Segmentation
  /**
   * Maximum length in characters, and the error of a longer text. 256 is the specification's, the
   * others are our decision.
   */
  readonly longest: readonly [characters: number, error: ErrorName]
  /** Required pattern, its error, and a correct example. */
  readonly form?: readonly [pattern: RegExp, error: ErrorName, right: string]
}

/**
 * In the order of the errors. Country and number are checked before these, because the country
 * decides the format of the number (our decision).
 */
const RULES: readonly FieldRule[] = [
  {
    field: 'company_name',
    only: 'b2b',
    missing: 'errors.company_name.missing',
    longest: [100, 'errors.invoice.validation_company_name_length'],
  },
  {
    field: 'first_name',
    missing: 'errors.first_name.missing',
    longest: [100, 'errors.missing_or_too_long.first_name'],
  },
  {
    field: 'last_name',
    missing: 'errors.last_name.missing',
    longest: [100, 'errors.missing_or_too_long.last_name'],
  },
  {
    field: 'address_1',
    alias: 'address',
    missing: 'errors.address.missing',
    longest: [100, 'errors.missing_or_too_long.address_1'],
  },
  { field: 'address_2', longest: [100, 'errors.invoice.validation_address2_length'] },
  {
    field: 'zip',
    missing: 'errors.zip.missing',
    longest: [10, 'errors.missing_or_too_long.zip_code'],
  },
  {
    field: 'city',
    missing: 'errors.city.missing',
    longest: [100, 'errors.missing_or_too_long.city'],
  },
  {
    field: 'email',
    longest: [256, 'errors.invoice.validation_email_length'],
    form: [
      /^[^\s@]+@[^\s@]+$/,
      'errors.invalid.email',
      'an e-mail address such as anna@example.com',
    ],
  },
  {
    field: 'phone',
    longest: [30, 'errors.missing_or_invalid.phone_number'],
    form: [
      /^\+?[\d\s()-]{5,}$/,
      'errors.missing_or_invalid.phone_number',
      'a phone number of at least 5 digits',
    ],
  },
]

/** Maximum lengths for invoices; other fields have the general limit. */
export const INVOICE_LIMITS: DetailLimits = Object.fromEntries(
  RULES.flatMap(({ field, alias, longest }) =>
    [field, ...(alias ? [alias] : [])].map((name) => [name, longest]),
  ),
)

/**
 * Checks the payer of an invoice. Sent values must be valid; missing ones are rejected only if they
 * are needed now.
 * @param complete true if the credit check follows now, false if the payer can complete the details
 *   on the page
 * @returns the details with `country_code` in alpha-3 and the personal number in normal form
 * @throws errors.payment_details.missing (164), errors.payment_details.invalid (1601,
 *   segmentation), errors.country_code.missing (161), errors.missing_or_invalid.country_code (220),
 *   errors.invoice.not_purchable (154), errors.personal_number.missing (156),
 *   errors.missing_or_invalid.ssn (211), errors.helper.ssn.for_sweden_must_be_12_digits (240),
 *   errors.invoice.invalid_registration_number (267), and the errors of `RULES`
 */
export function checkInvoicePayer(
  details: SentPaymentDetails | undefined,
  complete: boolean,
): SentPaymentDetails {
  if (details === undefined || Object.keys(details).length === 0)
    throw refusal(
      'errors.payment_details.missing',
      'payment_details are missing. Send the name and address of the recipient of the invoice.',
    )
  const segmentation = readSegmentation(details.segmentation)
  const country = readCountry(details.country_code, complete)
  const number = readNumber(findPayerNumber(details), country, segmentation, complete)
  for (const rule of RULES)
    if ((rule.only ?? segmentation) === segmentation) checkField(rule, details, complete)
  return {
    ...details,
    ...(country && { country_code: country }),
    ...(number !== undefined && { [numberField(details)]: number }),
    ...(details.segmentation !== undefined && { segmentation }),
  }
}

/** Returns the payer's personal number or company number. */
export const findPayerNumber = (details: SentPaymentDetails): string | undefined =>
  details[numberField(details)]

/**
 * Checkouts use either name (specification: Payment details); if both are sent, the first counts.
 */
const numberField = ({ personal_number }: SentPaymentDetails) =>
  personal_number === undefined ? 'ssn' : 'personal_number'

function checkField(
  { field, alias, missing, form }: FieldRule,
  details: SentPaymentDetails,
  complete: boolean,
) {
  const value = details[field] ?? (alias && details[alias])
  if (value === undefined) {
    if (complete && missing)
      throw refusal(missing, `payment_details.${field} is missing. Send it for an invoice.`)
    return
  }
  if (form && !form[0].test(value))
    throw refusal(form[1], `payment_details.${field} must be ${form[2]}.`)
}

function readSegmentation(sent = 'b2c'): Segmentation {
  const segmentation = sent.toLowerCase()
  if (segmentation === 'b2c' || segmentation === 'b2b') return segmentation
  throw refusal(
    'errors.payment_details.invalid',
    'payment_details.segmentation must be b2c (a person) or b2b (a company).',
  )
}

function readCountry(sent: string | undefined, complete: boolean): InvoiceCountry | undefined {
  const country = sent === undefined ? undefined : findInvoiceCountry(sent)
  if (country !== undefined || (sent === undefined && !complete)) return country
  const right = 'payment_details.country_code must be SWE, NOR or FIN.'
  if (sent === undefined) throw refusal('errors.country_code.missing', right)
  throw looksLikeCountry(sent)
    ? refusal(
        'errors.invoice.not_purchable',
        `Invoices are not available in this country. ${right}`,
      )
    : refusal('errors.missing_or_invalid.country_code', right)
}

function readNumber(
  sent: string | undefined,
  country: InvoiceCountry | undefined,
  segmentation: Segmentation,
  complete: boolean,
): string | undefined {
  if (sent === undefined) {
    if (!complete) return undefined
    throw refusal(
      'errors.personal_number.missing',
      'payment_details.personal_number is missing. Send it, or ssn, for an invoice.',
    )
  }
  // Without a country the number cannot be checked.
  if (country === undefined) return sent
  const number = parsePayerNumber(sent, country, segmentation)
  if (number.ok) return number.value
  throw number.refusal
}

/** Reads the number of a person, or of a company, and returns it in normal form. */
export function parsePayerNumber(
  sent: string,
  country: InvoiceCountry,
  segmentation: Segmentation,
):
  | { readonly ok: true; readonly value: string }
  | { readonly ok: false; readonly refusal: GatewayError } {
  const value =
    parsePersonalNumber(country, sent) ??
    (segmentation === 'b2b' ? parseOrganisationNumber(country, sent) : undefined)
  if (value !== undefined) return { ok: true, value }
  const refuse = (name: ErrorName, explain: string) =>
    ({ ok: false, refusal: refusal(name, explain) }) as const
  if (country === 'SWE' && shortenSwedishNumber(sent) !== undefined)
    return refuse(
      'errors.helper.ssn.for_sweden_must_be_12_digits',
      'The personal number has no century. Send it as YYYYMMDDNNNN.',
    )
  return segmentation === 'b2b'
    ? refuse(
        'errors.invoice.invalid_registration_number',
        `This number is not valid for a company or a person in ${country}.`,
      )
    : refuse(
        'errors.missing_or_invalid.ssn',
        `This number is not valid for a person in ${country}. ${FORMS[country]}`,
      )
}

const FORMS: Readonly<Record<InvoiceCountry, string>> = {
  SWE: 'It has the form YYYYMMDDNNNN, with a check digit.',
  NOR: 'It has the form DDMMYYNNNNN, with two check digits.',
  FIN: 'It is DDMMYY, a sign such as - or A, three digits and a check character.',
}

const refusal = (name: ErrorName, explain: string) => new GatewayError(name, { explain })
