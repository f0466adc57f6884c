import { html, type SafeHtml } from '../../pages/html.ts'
import { cell } from './cell.ts'
import { type Cell, countOf } from './cells.ts'

/** Headings and rows of a table. */
export interface Table {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  /** Place of each column on a phone, which shows two lines for a row; null for hidden columns. */
  readonly places?: readonly (Place | null)[]
  /** Name of a row: the rows of each day get a heading, and a time is only the hour of its day. */
  readonly days?: string
}

/** Place on a phone: start or end of a row's first or second line, or a third, cut line. */
type Place = 'first' | 'first-end' | 'second' | 'second-end' | 'third'

/** Renders a table, without columns that are empty in every row. */
export const table = (whole: Table): SafeHtml => {
  const { heads, rows, places, days } = withoutEmptyColumns(whole)
  return html`<div class="wide"><table${places && html` class="compact"`}>
<thead><tr>${heads.map(
    (head, at) =>
      html`<th scope="col"${rows[0]?.[at]?.quantity ? html` class="quantity"` : null}>${head}</th>`,
  )}</tr></thead>
${
  days === undefined
    ? body(rows, heads, places)
    : [...Map.groupBy(rows, dayOf)].map(
        ([day, some]) => html`<tbody>
<tr class="day"><th colspan="${heads.length}" scope="rowgroup">${dayText(day)}
<span>${countOf(some.length, days)}</span></th></tr>${some.map(
          (row) => html`
<tr>${cells(row.map(withoutDay), heads, places)}</tr>`,
        )}
</tbody>
`,
      )
}
</table></div>`
}

const body = (
  rows: Table['rows'],
  heads: readonly string[],
  places: Table['places'],
): SafeHtml => html`<tbody>${rows.map(
  (row) => html`
<tr>${cells(row, heads, places)}</tr>`,
)}
</tbody>
`

/** Returns the day of a row: `YYYY-MM-DD` of its first time. */
const dayOf = (row: readonly Cell[]): string =>
  row.find(({ moment }) => moment !== null)?.text.slice(0, 10) ?? ''

const DAY = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Names a day: `29 November 2026`. */
export const dayText = (day: string): string => (day === '' ? '' : DAY.format(Date.parse(day)))

/** Shortens the first time of a row, below the heading of its day. */
function withoutDay(of: Cell, at: number, row: readonly Cell[]): Cell {
  const first = row.findIndex(({ moment }) => moment !== null)
  return at === first ? { ...of, text: of.text.slice(11) } : of
}

function withoutEmptyColumns({ heads, rows, places, ...rest }: Table): Table {
  const isShown = (_: unknown, at: number) =>
    rows.length === 0 || rows.some((row) => row[at]?.text !== '' || row[at]?.note !== null)
  return {
    ...rest,
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

/** One of several lists on a page. */
interface Section extends Table {
  readonly title: string
  /** Number of rows in the whole list; null if unknown. */
  readonly total: number | string | null
  /** Address of the whole list; null if all rows are here. */
  readonly all: string | null
}

/** Renders lists below each other. */
export const sections = (lists: readonly Section[]): SafeHtml =>
  html`${lists.map(
    (list) => html`<section>
<h2>${list.title}${list.total ? html` <span class="quiet">${list.total}</span>` : null}</h2>
${
  list.rows.length > 0
    ? html`${table(list)}
${list.all && html`<p><a href="${list.all}">All${list.total ? ` ${list.total}` : null}</a></p>`}`
    : html`<p class="quiet">None.</p>`
}
</section>
`,
  )}`
