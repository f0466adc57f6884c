import type { CardProblem } from '../../domain/card/rules.ts'
import { findEntryByName, GatewayError, getEntryByKey } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { FieldProblem } from '../../domain/payer/page-fields.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { INPUT_FIELDS } from './fields.ts'
import { formatRefusal, TEXTS } from './texts.ts'

/** A problem of a form's field, or of the whole form. */
export interface FormProblem {
  /** The id of its input. */
  readonly field: string | null
  readonly refusal: GatewayError
}

/** Converts an error to a problem of the form. */
export const toFormProblem = (refusal: GatewayError): FormProblem => ({
  field: findField(refusal.entry.name),
  refusal,
})

/** Converts a failed rule to a problem of the form. */
export const createFieldProblem = ({ field, error }: CardProblem | FieldProblem): FormProblem => ({
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
const findField = (error: string): string | null =>
  INPUT_FIELDS.find((field) => error.startsWith(`errors.${field}.`)) ?? FIELD_OF[error] ?? null

/** A problem as the page shows it. */
type ShownProblem = Pick<FormProblem, 'field'> & {
  readonly refusal: Pick<GatewayError, 'entry' | 'description'>
}

/** Returns the problems above the form: the current ones, or that of the last attempt. */
export const describeProblems = (
  problems: readonly FormProblem[],
  row: TransactionRow,
  parameters: Parameters,
  locale: Locale,
) =>
  (problems.length > 0 ? problems : listEarlierProblems(row, parameters)).map(
    ({ field, refusal }) => {
      const labelled = INPUT_FIELDS.find((each) => each === field)
      return {
        field,
        label: labelled && TEXTS[locale][labelled],
        text: formatRefusal(refusal, locale),
        error: refusal.entry.name,
      }
    },
  )

/**
 * Returns the error in the address (observed: 11.6), which is looked up and never repeated, or else
 * the error of the last attempt.
 */
function listEarlierProblems(
  { error_name, error_message }: TransactionRow,
  { error_name: named }: Parameters,
): readonly ShownProblem[] {
  const last = error_name === null ? undefined : getEntryByKey(error_name)
  const inAddress = typeof named === 'string' ? findEntryByName(named) : undefined
  const field = inAddress ? findField(inAddress.name) : null
  if (inAddress && inAddress.name !== last?.name)
    return [{ field, refusal: { entry: inAddress, description: undefined } }]
  return last ? [{ field, refusal: { entry: last, description: error_message ?? undefined } }] : []
}
