import type { GatewayError } from '../../../domain/errors/errors.ts'
import { html, type SafeHtml } from '../../pages/html.ts'

/** What a page shows of a refusal: the words of the API, and what would be right. */
export const toConsoleProblem = ({ entry, description, explain }: GatewayError) => ({
  code: entry.code,
  name: entry.name,
  description: description ?? entry.en,
  explain: sentence(explain ?? ''),
})

/** What is wrong, as a page shows it. */
export type ConsoleProblem = ReturnType<typeof toConsoleProblem>

/** Explanations are sentences, some with their full stop. */
const sentence = (text: string) => text.replace(/[^.]$/, '$&.')

/** Renders a refusal above a form, or as a page of its own; nothing without one. */
export const problemBox = (problem: ConsoleProblem | null): SafeHtml | null =>
  problem &&
  html`<div class="problem" role="alert"><p>${problem.description}</p>${problem.explain && html`<p>${problem.explain}</p>`}<p class="quiet">${problem.code}, <code>${problem.name}</code></p></div>`

/** Renders a refusal beside a small form. */
export const problemLine = ({ description, explain, code, name }: ConsoleProblem): SafeHtml =>
  html`<p class="wrong" role="alert">${description} ${explain} <span class="quiet">${code}, <code>${name}</code></span></p>`
