import { withBreaks } from '../../pages/breaks.ts'
import { html, type SafeHtml } from '../../pages/html.ts'
import type { Cell } from './cells.ts'

/** Renders a cell: a link, a moment, a status, code or a plain text, with its note below. */
export function cell(of: Cell): SafeHtml {
  const content = renderCellContent(of)
  if (!of.note) return content
  const note = html`<span class="note">${of.note}</span>`
  return of.folds
    ? html`<details><summary>${content}</summary>${note}</details>`
    : html`${content}${note}`
}

function renderCellContent({ text, content, to, copy, moment, tone, code, long }: Cell): SafeHtml {
  if (content) return content
  if (to)
    return copy ? html`<a href="${to}" data-copy>${text}</a>` : html`<a href="${to}">${text}</a>`
  if (moment !== undefined) {
    const [day, hour] = text.split(' ')
    // A list on a phone shows the day alone.
    return html`<time datetime="${moment}">${day}${hour && html`<span class="hour"> ${hour}</span>`}</time>`
  }
  if (copy) return html`<span data-copy>${withBreaks(text)}</span>`
  if (tone !== undefined)
    return html`<span class="status ${tone}${/ /.test(text) ? ' phrase' : null}">${text}</span>`
  if (long) return html`${withBreaks(text)}`
  return code ? codeBlock(text) : html`${text}`
}

/** Renders a block of code, to which a script adds a copy button. */
export const codeBlock = (text: string): SafeHtml =>
  html`<div class="code"><pre tabindex="0">${text}</pre></div>`

/** A field with its value. */
export interface Fact extends Cell {
  readonly name: string
}

/** Names the values that are not empty. */
export const factsIn = (cells: Readonly<Record<string, Cell>>): readonly Fact[] =>
  Object.entries(cells)
    .filter(([, { text }]) => text !== '')
    .map(([name, of]) => ({ name, ...of }))

/** Renders the few fields that identify an object, next to each other. */
export const factSummary = (facts: readonly Fact[]): SafeHtml =>
  html`<dl class="summary">${facts.map(
    (fact) => html`<div><dt>${fact.name}</dt><dd>${cell(fact)}</dd></div>`,
  )}</dl>`

/** Renders fields with their values. */
export const factList = (facts: readonly Fact[]): SafeHtml =>
  html`<dl class="facts">${facts.map(
    (fact) => html`<div><dt>${fact.name}</dt><dd>${cell(fact)}</dd></div>`,
  )}</dl>`
