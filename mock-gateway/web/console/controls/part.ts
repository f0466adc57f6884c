import type { Operation } from '../../../operations/operation.ts'
import { operationNamed } from '../../../operations/table.ts'
import { hiddenFields, html, type SafeHtml } from '../../pages/html.ts'
import { asCommand, writeCommand } from '../parts/command.ts'
import { buttonForm, folded, tokenField } from '../parts/forms.ts'
import { getTarget } from '../parts/operation-form.ts'
import type { Owner } from '../parts/owner.ts'
import type { ConsoleVisit } from '../visit.ts'

/** What each part of the page knows: the visit, and whose controls it shows. */
export interface Part {
  readonly visit: ConsoleVisit
  readonly owner: Owner
}

type Input = Operation['examples'][number]['input']

/**
 * Renders a part of the page with its commands.
 * @param commands operations with an input, by default the first example of the operation
 */
export function part(
  { owner }: Part,
  title: string,
  commands: Readonly<Record<string, Input | null>>,
  body: SafeHtml,
): SafeHtml {
  const id = title.toLowerCase().replace(' ', '-')
  const lines = Object.entries(commands).map(([name, input]) =>
    writeCommand(name, input ?? operationNamed(name).examples[0]?.input, owner.merchantId),
  )
  return html`<section class="control" aria-labelledby="${id}">
<header><h2 id="${id}">${title}</h2>${asCommand(...lines)}</header>
${body}
</section>
`
}

/** Returns the address that runs an operation of the page. */
export const runAt = ({ visit }: Part, operation: string): string =>
  getTarget(visit, `/controls/${operation}`)

/** Renders a button that runs an operation of the page. */
export const press = (
  of: Part,
  operation: string,
  words: string,
  fields: Input = {},
  tone: 'main' | null = null,
): SafeHtml => buttonForm(of.visit, runAt(of, operation), words, tone, hiddenFields(fields))

/** Renders a button behind its explanation, because it cannot be undone. */
export const risk = (
  of: Part,
  operation: string,
  words: string,
  why: string,
  fields: SafeHtml | null = null,
): SafeHtml =>
  folded(
    `${words}…`,
    html`<form method="post" action="${runAt(of, operation)}">${tokenField(of.visit)}${fields}
<p>${why}</p><button class="danger">${words}</button></form>`,
    { style: 'risk' },
  )

/** Renders a small form on one line that runs an operation of the page. */
export const inlineForm = (of: Part, operation: string, content: SafeHtml): SafeHtml =>
  html`<form class="inline" method="post" action="${runAt(of, operation)}">${tokenField(of.visit)}${content}</form>`
