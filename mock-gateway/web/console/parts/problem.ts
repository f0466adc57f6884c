import type { Response } from 'express'
import type { GatewayError } from '../../../domain/errors/errors.ts'
import { asGatewayError, writeRefusal } from '../../http/refuse.ts'
import { html, type SafeHtml } from '../../pages/html.ts'

/** Converts an error for a page: the API's texts, and the solution. */
export const toConsoleProblem = ({ entry, description, explain }: GatewayError) => ({
  code: entry.code,
  name: entry.name,
  description: description ?? entry.en,
  explain: explain ?? '',
})

export type ConsoleProblem = ReturnType<typeof toConsoleProblem>

/**
 * Runs a form's action; after an error, shows the form with its values and the error.
 * @param again builds the page of the form with the error
 */
export async function redisplayOnError<Shown, Again>(
  { response }: { readonly response: Response },
  act: () => Promise<Shown>,
  again: (problem: ConsoleProblem) => Promise<Again>,
): Promise<Shown | Again> {
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
 * Returns the text of an error by its field: the first that the explanation names, else the one in
 * the error name, such as `errors.interval.invalid`.
 */
export function assignProblemToField(
  problem: ConsoleProblem | null,
  names: readonly string[],
): Readonly<Record<string, string>> {
  if (problem === null) return {}
  const { explain, name } = problem
  const word = explain.split(/\W+/).find((each) => names.includes(each))
  const field = word ?? names.find((each) => name.startsWith(`errors.${each}.`))
  return field === undefined
    ? {}
    : { [field]: `${explain || problem.description} (${problem.code}, ${name})` }
}

export const renderProblemBox = (problem: ConsoleProblem | null): SafeHtml | null =>
  problem &&
  html`<div class="callout bad" role="alert"><p>${problem.description}</p>
${problem.explain && html`<p>${problem.explain}</p>`}
<p class="quiet">${problem.code}, <code>${problem.name}</code></p></div>`

/** Renders an error next to a small form. */
export const renderProblemLine = ({ description, explain, code, name }: ConsoleProblem): SafeHtml =>
  html`<p class="wrong" role="alert">${description} ${explain}
<span class="quiet">${code}, <code>${name}</code></span></p>`

/** Renders the place of a list without rows. @param next what to do about it */
export const renderEmptyState = (text: string, next: SafeHtml | null = null): SafeHtml =>
  html`<p><strong>${text}</strong></p>${next && html`<p class="quiet">${next}</p>`}`

/** Renders the mistakes of a hash; null if there are none. */
export const renderMistakeList = (mistakes: readonly string[]): SafeHtml | null =>
  mistakes.length > 0
    ? html`<ul class="mistakes">${mistakes.map((mistake) => html`<li>${mistake}</li>`)}</ul>`
    : null
