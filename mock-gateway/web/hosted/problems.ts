import type { CardProblem } from '../../domain/card/rules.ts'
import { entryByKey, GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { FieldProblem } from '../../domain/payer/page-fields.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { INPUT_FIELDS } from './inputs.ts'
import { namedText, refusalText, TEXTS } from './texts.ts'

/** A problem of a form's field, or of the whole form. */
export interface FormProblem {
  /** The id of its input. */
  readonly field: string | null
  readonly refusal: GatewayError
  /** Text for the payer; default: the error's description. */
  readonly text?: (locale: Locale) => string
  /** Name of the field; default: the label of the input. */
  readonly label?: (locale: Locale) => string
}

/** Converts an error to a problem of the form. */
export const toFormProblem = (refusal: GatewayError): FormProblem => ({
  field: fieldOf(refusal),
  refusal,
})

/** Converts a failed rule to a problem of the form. */
export const fieldProblem = ({ field, error }: CardProblem | FieldProblem): FormProblem => ({
  field,
  refusal: new GatewayError(error, { explain: `The value entered as ${field} is invalid.` }),
})

/** Fields of errors whose name does not begin with the field. */
const FIELD_OF: Readonly<Record<string, string>> = {
  'errors.card.expired': 'card_expiry',
  'errors.card_type.unsupported': 'card_number',
  'errors.invalid.email': 'email',
  'errors.address.missing': 'address_1',
  'errors.missing_or_invalid.phone_number': 'swish_number',
  'errors.missing_or_invalid.ssn': 'personal_number',
  'errors.helper.ssn.for_sweden_must_be_12_digits': 'personal_number',
}

/** Returns the field of an error; null if it is not about one field. */
function fieldOf({ entry: { name } }: GatewayError): string | null {
  return INPUT_FIELDS.find((field) => name.startsWith(`errors.${field}.`)) ?? FIELD_OF[name] ?? null
}

/**
 * Returns the problems above the form: the current ones, or the error of the last attempt or of the
 * address (observed: 11.6), which is looked up and never repeated.
 */
export function shownProblems(
  problems: readonly FormProblem[],
  row: TransactionRow,
  parameters: Parameters,
  locale: Locale,
) {
  const current = problems.map(({ field, refusal, text, label }) => ({
    field,
    label: label?.(locale) ?? labelOf(field, locale),
    text: text?.(locale) ?? refusalText(refusal, locale),
  }))
  const before = lastRefusal(row, locale) ?? namedText(parameters.error_name, locale)
  const earlier = before === undefined ? [] : [{ field: null, label: null, text: before }]
  return {
    problems: current.length > 0 ? current : earlier,
    error_name: problems[0]?.refusal.entry.name ?? null,
    heading_of_form: problems.some(({ field }) => field !== null),
  }
}

/** Labels are the texts with the names of the fields. */
function labelOf(field: string | null, locale: Locale): string | null {
  const name = INPUT_FIELDS.find((each) => each === field)
  return name === undefined ? null : TEXTS[locale][name]
}

function lastRefusal(
  { error_name, error_message }: TransactionRow,
  locale: Locale,
): string | undefined {
  if (error_name === null) return undefined
  return refusalText(
    { entry: entryByKey(error_name), description: error_message ?? undefined },
    locale,
  )
}
