import type { Operation } from '../../../operations/operation.ts'
import { fieldsIn } from '../../../operations/read-input.ts'
import { operationNamed } from '../../../operations/table.ts'
import type { Parameters } from '../../../parsing/parameters/parameters.ts'
import { runOperation } from '../../http/operation-context.ts'
import { type ConsoleVisit, fieldsOf } from '../visit.ts'
import { labelOf } from './filters.ts'
import type { FormField, FormFields } from './form-errors.ts'

/**
 * Runs an operation with the fields of a form.
 * @param merchantId owner of the page; undefined: the form names one, or none
 */
export const runFromForm = (
  visit: ConsoleVisit,
  name: string,
  merchantId: number | undefined,
  sent: Parameters = fieldsOf(visit),
): Promise<unknown> =>
  runOperation(
    visit.response,
    visit.dependencies,
    operationNamed(name),
    merchantId === undefined ? sent : { ...sent, merchant_id: String(merchantId) },
    visit.named,
  )

/**
 * Builds the form of an operation from its input. Optional fields are folded.
 * @param over parts that differ from those of the schema
 */
export function formOf<Name extends string>(
  operation: Pick<Operation, 'input'>,
  over: FormFields<Name>,
): FormFields<Name> & FormFields {
  const fields = fieldsIn(operation).map(({ name, kind, choices, description, ...field }) => [
    name,
    {
      label: labelOf(name),
      help: description || null,
      kind: kind === 'text' ? 'line' : kind,
      choices: field.isRequired || choices.length === 0 ? choices : ['', ...choices],
      isRequired: field.isRequired,
      usual: field.isRequired ? null : field.usual,
      ...(over as FormFields)[name],
    } satisfies Partial<FormField>,
  ])
  return Object.fromEntries(fields)
}
