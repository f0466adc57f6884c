import type { GatewayError } from '../../../domain/errors/errors.ts'
import { html, type SafeHtml } from '../../pages/html.ts'

/** Converts an error for a page: the API's texts, and the solution. */
export const toConsoleProblem = ({ entry, description, explain }: GatewayError) => ({
  code: entry.code,
  name: entry.name,
  description: description ?? entry.en,
  explain: explain ?? '',
})

/** An error with its texts for a page. */
export type ConsoleProblem = ReturnType<typeof toConsoleProblem>

/** Renders an error above a form, or as a page; nothing without one. */
export const problemBox = (problem: ConsoleProblem | null): SafeHtml | null =>
  problem &&
  html`<div class="problem" role="alert"><p>${problem.description}</p>
${problem.explain && html`<p>${problem.explain}</p>`}
<p class="quiet">${problem.code}, <code>${problem.name}</code></p></div>`

/** Renders an error next to a small form. */
export const problemLine = ({ description, explain, code, name }: ConsoleProblem): SafeHtml =>
  html`<p class="wrong" role="alert">${description} ${explain}
<span class="quiet">${code}, <code>${name}</code></span></p>`
