import type { Operation } from '../../../operations/operation.ts'
import { getOperation } from '../../../operations/table.ts'
import { html, renderHiddenFields, type SafeHtml } from '../../pages/html.ts'
import { renderButtonForm, renderFolded, renderTokenField } from '../parts/forms.ts'
import { asCommand, getTarget, writeCommand } from '../parts/operation-form.ts'
import { renderProblemLine } from '../parts/problem.ts'
import type { ConsoleVisit } from '../visit.ts'

type Input = Operation['examples'][number]['input']

/**
 * Renders a part of the page with its commands.
 * @param commands operations with an input, by default the first example of the operation
 */
export function renderPart(
  { merchant }: ConsoleVisit,
  title: string,
  commands: Readonly<Record<string, Input | null>>,
  body: SafeHtml,
): SafeHtml {
  const id = title.toLowerCase().replace(' ', '-')
  const lines = Object.entries(commands).map(([name, input]) =>
    writeCommand(name, input ?? getOperation(name).examples[0]?.input, merchant?.id),
  )
  return html`<section class="control" aria-labelledby="${id}">
<header class="row head"><h2 id="${id}">${title}</h2>${asCommand(...lines)}</header>
${body}
</section>
`
}

const runAt = (visit: ConsoleVisit, operation: string): string =>
  getTarget(visit, `/controls/${operation}`)

export const renderPress = (
  visit: ConsoleVisit,
  operation: string,
  words: string,
  fields: Input = {},
  tone: 'main' | null = null,
): SafeHtml =>
  renderButtonForm(visit, runAt(visit, operation), words, tone, renderHiddenFields(fields))

/** Renders a button behind its explanation, because it cannot be undone. */
export const renderRisk = (
  visit: ConsoleVisit,
  operation: string,
  words: string,
  why: string,
  fields: SafeHtml | null = null,
): SafeHtml =>
  renderFolded(
    `${words}…`,
    renderControlForm(
      visit,
      operation,
      html`${fields}<p>${why}</p><button class="small danger">${words}</button>`,
      '',
    ),
    { look: operation === 'data.reset' ? 'button small danger' : 'button small' },
  )

/** Renders a form that runs an operation of the page, by default on one line. */
export const renderControlForm = (
  visit: ConsoleVisit,
  operation: string,
  content: SafeHtml,
  style: 'row' | '' = 'row',
): SafeHtml =>
  html`<form${style && html` class="${style}"`} method="post" action="${runAt(visit, operation)}">${renderTokenField(visit)}${content}</form>`

export function renderProblemOf(
  visit: ConsoleVisit,
  ...operations: readonly string[]
): SafeHtml | null {
  const { form = '', problem } = visit.refused ?? {}
  return problem && operations.includes(form) ? renderProblemLine(problem) : null
}
