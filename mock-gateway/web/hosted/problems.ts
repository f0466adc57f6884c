import type { CardProblem } from '../../domain/card/rules.ts'
import { entryByKey, entryByName, GatewayError } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { FieldProblem } from '../../domain/payer/page-fields.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { INPUT_FIELDS } from './inputs.ts'
import { refusalText, TEXTS } from './texts.ts'

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
function fieldOf({ entry: { name } }: Pick<GatewayError, 'entry'>): string | null {
  return INPUT_FIELDS.find((field) => name.startsWith(`errors.${field}.`)) ?? FIELD_OF[name] ?? null
}

/** A problem as the page shows it. */
type ShownProblem = Omit<FormProblem, 'refusal'> & { readonly refusal: Refusal }

type Refusal = Pick<GatewayError, 'entry' | 'description'>

/** Returns the problems above the form: the current ones, or that of the last attempt. */
export function shownProblems(
  problems: readonly FormProblem[],
  row: TransactionRow,
  parameters: Parameters,
  locale: Locale,
) {
  const shown = problems.length > 0 ? problems : earlierProblems(row, parameters)
  return {
    problems: shown.map(({ field, refusal, text, label }) => ({
      field,
      label: label?.(locale) ?? labelOf(field, locale),
      text: text?.(locale) ?? refusalText(refusal, locale),
    })),
    error_name: shown[0]?.refusal.entry.name ?? null,
    heading_of_form: shown.some(({ field }) => field !== null),
  }
}

/** Labels are the texts with the names of the fields. */
function labelOf(field: string | null, locale: Locale): string | null {
  const name = INPUT_FIELDS.find((each) => each === field)
  return name === undefined ? null : TEXTS[locale][name]
}

/**
 * Returns the error in the address (observed: 11.6), which is looked up and never repeated, or else
 * the error of the last attempt.
 */
function earlierProblems(
  { error_name, error_message }: TransactionRow,
  { error_name: named }: Parameters,
): readonly ShownProblem[] {
  const last = error_name === null ? undefined : entryByKey(error_name)
  const inAddress = typeof named === 'string' ? entryByName(named) : undefined
  if (inAddress && inAddress.name !== last?.name)
    return [
      {
        field: fieldOf({ entry: inAddress }),
        refusal: { entry: inAddress, description: undefined },
      },
    ]
  if (last === undefined) return []
  const refusal = { entry: last, description: error_message ?? undefined }
  return [{ field: inAddress ? fieldOf(refusal) : null, refusal }]
}
