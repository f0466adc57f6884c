import { html, type SafeHtml } from '../../pages/html.ts'
import { formatDay } from '../../pages/times.ts'
import { type Cell, type CellValue, formatCount, renderCell, toCell } from './cells.ts'

/** Place on a phone: start or end of a row's first or second line, or a line of its own. */
type Place = 'first' | 'first-end' | 'second' | 'second-end' | 'third'

/**
 * A column: its heading, the cell of a row, and its place on a phone, which hides columns without
 * one. A column with the place `file` is only in files and on the page of an object.
 */
export type Column<Row> = readonly [
  head: string,
  createCell: (row: Row, home: string) => CellValue,
  place?: Place | 'file',
]

export interface Table {
  readonly heads: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
  readonly places?: readonly (Place | null)[]
  /** Name of a row: the rows of each day get a heading, and a time is only the hour of its day. */
  readonly days?: string | undefined
  readonly empty?: SafeHtml | null
}

/**
 * Fills the columns of a table.
 * @param home path of the pages that cells link to
 */
export function fill<Row>(
  all: readonly Column<Row>[],
  rows: readonly Row[],
  home: string,
): Omit<Required<Table>, 'days' | 'empty'> {
  const columns = all.filter(([, , place]) => place !== 'file')
  return {
    heads: columns.map(([head]) => head),
    places: columns.map(([, , place]) => (place === 'file' ? null : (place ?? null))),
    rows: rows.map((row) => columns.map(([, createCell]) => toCell(createCell(row, home)))),
  }
}

/** Renders a table, without columns that are empty in every row. */
export function renderTable({ heads: allHeads, rows, places, days, empty }: Table): SafeHtml {
  if (empty !== undefined && rows.length === 0) return html`${empty}`
  const isShown = (_: unknown, at: number) =>
    rows.length === 0 || rows.some((row) => row[at]?.text !== '' || row[at]?.note)
  const heads = allHeads.filter(isShown)
  const shown = places?.filter(isShown)
  const some = rows.map((row) => row.filter(isShown))
  /** Right-aligns numbers and, on a wide screen, the times in the last column. */
  const getEdge = (at: number): 'quantity' | 'edge' | null => {
    const cell = some[0]?.[at]
    if (cell?.quantity) return 'quantity'
    return at === heads.length - 1 && cell?.moment !== undefined ? 'edge' : null
  }
  const groups = days === undefined ? [['', some] as const] : Map.groupBy(some, getDay)
  return html`<div class="wide"><table${places && html` class="compact"`}>
<thead><tr>${heads.map(
    (head, at) => html`<th scope="col"${getEdge(at) && html` class="${getEdge(at)}"`}>${head}</th>`,
  )}</tr></thead>
${[...groups].map(
  ([day, group]) => html`<tbody>${
    days &&
    html`
<tr class="day"><th colspan="${heads.length}" scope="rowgroup">${day}
<span>${formatCount(group.length, days)}</span></th></tr>`
  }${group.map(
    (row) => html`
<tr>${(days ? row.map(removeDay) : row).map(
      (each, at) =>
        html`<td data-head="${heads[at]}"${renderClass(each, getEdge(at), shown?.[at])}>${renderCell(each)}</td>`,
    )}</tr>`,
  )}
</tbody>
`,
)}
</table></div>`
}

/** Returns the day of a row: that of its first time. */
export function getDay(row: readonly Cell[]): string {
  const moment = row.find(isTime)?.moment
  return moment === undefined ? '' : formatDay(moment)
}

const isTime = ({ moment }: Cell): boolean => moment !== undefined

/** Shortens the first time of a row to its hour: its day is today's, or that of its heading. */
export const removeDay = (of: Cell, at: number, row: readonly Cell[]): Cell =>
  at === row.findIndex(isTime) ? { ...of, text: of.moment?.slice(11, 19) ?? '' } : of

function renderClass(
  { number, quantity, long }: Cell,
  edge: string | null,
  place?: Place | null,
): SafeHtml | null {
  const names = [
    number ? 'number' : long && 'long',
    edge ?? (quantity && 'quantity'),
    place,
  ].filter(Boolean)
  return names.length > 0 ? html` class="${names.join(' ')}"` : null
}

interface Section extends Table {
  readonly title: string
  /** Number of rows in the whole list; null if unknown. */
  readonly total?: number | string | null
  /** Address of the whole list; null if all rows are here. */
  readonly all?: string | null
}

/** Renders each list with its heading. One sentence names the empty lists. */
export function renderSections(lists: readonly Section[]): SafeHtml {
  const empty = lists.filter(({ rows }) => rows.length === 0)
  const names = empty.map(({ title }, index) => (index > 0 ? title.toLowerCase() : title))
  return html`${lists
    .filter((list) => !empty.includes(list))
    .map(
      (list) => html`<section>
<h2>${list.title}${
        list.all
          ? html` <a class="key" href="${list.all}">All${list.total ? ` ${list.total}` : null}</a>`
          : list.total
            ? html` <span class="quiet">${list.total}</span>`
            : null
      }</h2>
${renderTable(list)}
</section>
`,
    )}${names.length > 0 ? html`<p class="quiet">${names.join(', ')}: none.</p>` : null}`
}
