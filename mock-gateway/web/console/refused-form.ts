import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { type ConsoleProblem, toConsoleProblem } from './design/problem.ts'
import { type FormField, formField } from './form-field.ts'
import type { ConsoleRedirect, ConsoleView, ConsoleVisit } from './visit.ts'

export type { ConsoleProblem }

/**
 * Does what a form asks for; where that is refused, shows the form as it was filled in.
 * @param again makes the page of the form, with what is wrong
 */
export async function redisplayOnError(
  { response }: ConsoleVisit,
  act: () => Promise<ConsoleRedirect | ConsoleView>,
  again: (problem: ConsoleProblem) => Promise<ConsoleView>,
): Promise<ConsoleRedirect | ConsoleView> {
  try {
    return await act()
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.http === 500) throw error
    writeRefusal(response, refusal)
    return again(toConsoleProblem(refusal))
  }
}

/**
 * What a view shows of a refusal that is about one of a form's fields, by its name; undefined where
 * it is about none.
 */
export type FieldProblems = Readonly<Record<string, string>>

/**
 * The field that a refusal is about: the first that its explanation names, else the one that its
 * name has, such as `errors.interval.invalid`.
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

/** What is shown above the form: a refusal that no field has beside it. */
export const aboveForm = (
  problem: ConsoleProblem | null,
  beside: FieldProblems,
): ConsoleProblem | null => (Object.keys(beside).length > 0 ? null : problem)

/** Fields of a form by their names, as they are but for what stands in them. */
export type FormFields<Name extends string = string> = Readonly<Record<Name, Partial<FormField>>>

/**
 * A form as it was filled in, with what is wrong beside the field that it is about, or above them
 * all.
 * @param written what stands in the fields
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
