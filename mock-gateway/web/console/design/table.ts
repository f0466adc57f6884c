import { html, type SafeHtml } from '../../pages/html.ts'
import type { Cell } from '../cells.ts'
import { cell } from './cell.ts'

/** Renders the cells of a row. @param heads the heading of each column */
export const cells = (row: readonly Cell[], heads: readonly string[]): SafeHtml =>
  html`${row.map((each, at) => html`<td data-head="${heads[at]}"${kindOf(each)}>${cell(each)}</td>`)}`

function kindOf({ number, long }: Cell): SafeHtml | null {
  if (number) return html` class="number"`
  return long ? html` class="long"` : null
}
