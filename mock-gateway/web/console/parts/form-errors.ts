import type { KnownField } from '../../../contract/known-calls.ts'
import { asGatewayError, writeRefusal } from '../../http/refuse.ts'
import type { SafeHtml } from '../../pages/html.ts'
import type { ConsoleRedirect, ConsoleView, ConsoleVisit, ForeignPage } from '../visit.ts'
import { type ConsoleProblem, toConsoleProblem } from './problem.ts'

export type { ConsoleProblem }

/**
 * Runs a form's action; after an error, shows the form with its values and the error.
 * @param again builds the page of the form with the error
 */
export async function redisplayOnError<Shown extends ConsoleRedirect | ConsoleView | ForeignPage>(
  { response }: ConsoleVisit,
  act: () => Promise<Shown>,
  again: (problem: ConsoleProblem) => Promise<ConsoleView>,
): Promise<Shown | ConsoleView> {
  try {
    return await act()
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    writeRefusal(response, refusal)
    return again(toConsoleProblem(refusal))
  }
}

/** Error of one field, by its name; empty if the error is about no field. */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * Finds the field of an error: the first that its explanation names, else the one in the error
 * name, such as `errors.interval.invalid`.
 */
export function besideField(
  problem: ConsoleProblem | null,
  names: readonly string[],
): FieldProblems {
  if (problem === null) return {}
  const { explain, name } = problem
  const word = explain.split(/\W+/).find((each) => names.includes(each))
  const field = word ?? names.find((each) => name.startsWith(`errors.${each}.`))
  return field === undefined
    ? {}
    : { [field]: `${explain || problem.description} (${problem.code}, ${name})` }
}

/** Returns the error above the form, unless a field shows it. */
export const aboveForm = (
  problem: ConsoleProblem | null,
  beside: FieldProblems,
): ConsoleProblem | null => (Object.keys(beside).length > 0 ? null : problem)

/** Fields of a form by name, with the parts that differ from plain ones. */
export type FormFields<Name extends string = string> = Readonly<Record<Name, Partial<FormField>>>

/**
 * Builds a form with its values, and the error next to its field or above the form.
 * @param written values of the fields
 */
export function filledIn<Name extends string>(
  fields: FormFields<Name>,
  written: Readonly<Record<NoInfer<Name>, string>>,
  problem: ConsoleProblem | null,
): { readonly problem: ConsoleProblem | null; readonly fields: readonly FormField[] } {
  const names = Object.keys(fields) as Name[]
  const beside = besideField(problem, names)
  return {
    problem: aboveForm(problem, beside),
    fields: names.map((name) =>
      formField(name, { ...fields[name], value: written[name], problem: beside[name] ?? null }),
    ),
  }
}

/** A form field for `fieldView`: label, description and problem. */
export interface FormField {
  readonly name: string
  readonly label: string | SafeHtml
  /** Description; null if the label is enough. */
  readonly help: string | null
  /** A choice, a number, or a text on one or several lines. */
  readonly kind: 'choice' | 'number' | 'line' | 'json' | 'long' | 'source'
  /** Allowed values, if there are few; for a list on one line, its allowed members. */
  readonly choices: readonly string[]
  /** Names of the choices. */
  readonly words: readonly { readonly choice: string; readonly text: string }[]
  readonly value: string
  readonly isRequired: boolean
  /** An example value, shown while the field is empty. */
  readonly placeholder: string | null
  /** Id of the datalist with its suggestions. */
  readonly list: string | null
  /** Set in the start-up configuration, and not changeable here. */
  readonly isFixed: boolean
  /** Usual value of a field that a form folds; null for a field that is always in view. */
  readonly usual: string | null
  /** Why the typed value is invalid. */
  readonly problem: string | null
}

/** @param given differences from an empty, plain field */
export const formField = (name: string, given: Partial<FormField> = {}): FormField => ({
  name,
  label: name,
  help: null,
  kind: 'line',
  choices: [],
  words: [],
  value: '',
  isRequired: false,
  placeholder: null,
  list: null,
  isFixed: false,
  usual: null,
  problem: null,
  ...given,
})

/** Converts a field of the contract. */
export const asFormField = ({
  description,
  choices,
  isNumber,
  isRequired,
}: KnownField): Partial<FormField> => ({
  help: description || null,
  kind: choices.length > 0 ? 'choice' : isNumber ? 'number' : 'line',
  choices,
  isRequired,
})
