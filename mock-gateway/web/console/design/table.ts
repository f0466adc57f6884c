import { html, type SafeHtml } from '../../pages/html.ts'
import type { Cell } from '../cells.ts'
import { cell } from './cell.ts'

/** A table: its headings, and its rows. */
export interface Table {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /**
   * The place of each column where a phone shows two lines a row; null for columns that it leaves
   * out.
   */
  readonly places?: readonly (Place | null)[]
}

/**
 * A place in the two lines of a row on a phone: at the beginning or the end of the first or second
 * line.
 */
type Place = 'first' | 'first-end' | 'second' | 'second-end'

/** Renders a table. */
export const table = ({
  heads,
  rows,
  places,
}: Table): SafeHtml => html`<div class="wide"><table${places && html` class="compact"`}>
<thead><tr>${heads.map((head) => html`<th scope="col">${head}</th>`)}</tr></thead>
<tbody>${rows.map(
  (row) => html`
<tr>${cells(row, heads, places)}</tr>`,
)}
</tbody>
</table></div>`

/** Renders the cells of a row. @param heads the heading of each column */
const cells = (
  row: readonly Cell[],
  heads: readonly string[],
  places?: Table['places'],
): SafeHtml =>
  html`${row.map((each, at) => html`<td data-head="${heads[at]}"${classOf(each, places?.[at])}>${cell(each)}</td>`)}`

function classOf({ number, long }: Cell, place: Place | null | undefined): SafeHtml | null {
  const names = [number ? 'number' : long ? 'long' : null, place].filter(
    (name) => name !== null && name !== undefined,
  )
  return names.length > 0 ? html` class="${names.join(' ')}"` : null
}
