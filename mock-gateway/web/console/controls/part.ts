import { html, type SafeHtml } from '../../pages/html.ts'
import type { ConsoleProblem } from '../parts/form-errors.ts'
import type { Owner } from '../parts/owner.ts'

/** What each part of the page knows. */
export interface Part {
  readonly owner: Owner
  /** Address of the page; a form is sent to an operation below it. */
  readonly at: string
  /** Returns the error of an operation that the page's form asked for; null without one. */
  readonly problemOf: (operation: string) => SafeHtml | null
  /** The error of the form, and the operation that it asked for. */
  readonly refused: { readonly operation: string; readonly problem: ConsoleProblem } | null
}

/** Renders a part of the page with its commands. */
export function part(title: string, commands: SafeHtml, body: SafeHtml): SafeHtml {
  const id = title.toLowerCase().replace(' ', '-')
  return html`<section class="control" aria-labelledby="${id}">
<header><h2 id="${id}">${title}</h2>${commands}</header>
${body}
</section>
`
}
