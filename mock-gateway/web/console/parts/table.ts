import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from './cell.ts'
import type { Cell } from './cells.ts'

/** Headings and rows of a table. */
export interface Table {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Place of each column on a phone, which shows two lines for a row; null for hidden columns. */
  readonly places?: readonly (Place | null)[]
}

/** Place on a phone: start or end of a row's first or second line, or a third, cut line. */
type Place = 'first' | 'first-end' | 'second' | 'second-end' | 'third'

/** Renders a table, without columns that are empty in every row. */
export const table = (whole: Table): SafeHtml => {
  const { heads, rows, places } = withoutEmptyColumns(whole)
  return html`<div class="wide"><table${places && html` class="compact"`}>
<thead><tr>${heads.map(
    (head, at) =>
      html`<th scope="col"${rows[0]?.[at]?.quantity ? html` class="quantity"` : null}>${head}</th>`,
  )}</tr></thead>
<tbody>${rows.map(
    (row) => html`
<tr>${cells(row, heads, places)}</tr>`,
  )}
</tbody>
</table></div>`
}

function withoutEmptyColumns({ heads, rows, places }: Table): Table {
  const isShown = (_: unknown, at: number) =>
    rows.length === 0 || rows.some((row) => row[at]?.text !== '' || row[at]?.note !== null)
  return {
    heads: heads.filter(isShown),
    rows: rows.map((row) => row.filter(isShown)),
    ...(places && { places: places.filter(isShown) }),
  }
}

/** Renders the cells of a row. @param heads headings of the columns */
const cells = (
  row: readonly Cell[],
  heads: readonly string[],
  places?: Table['places'],
): SafeHtml =>
  html`${row.map(
    (each, at) =>
      html`<td data-head="${heads[at]}"${classOf(each, places?.[at])}>${cell(each)}</td>`,
  )}`

function classOf(
  { number, quantity, long }: Cell,
  place: Place | null | undefined,
): SafeHtml | null {
  const kind = number ? 'number' : long ? 'long' : null
  const names = [kind, quantity ? 'quantity' : null, place].filter(
    (name) => name !== null && name !== undefined,
  )
  return names.length > 0 ? html` class="${names.join(' ')}"` : null
}
