import type { FilterImplOptions } from 'liquidjs'
import { escaped } from '../pages/escaped.ts'
import type { Cell } from './cells.ts'

/** The places of a row. @param heads what stands above each */
const cellsHtml = (row: readonly Cell[], heads: readonly string[]): string =>
  row.map((cell, at) => `<td data-head="${escaped(heads[at] ?? '')}"${kindOf(cell)}>${cellHtml(cell)}</td>`).join('')

const kindOf = ({ number, long }: Cell): string => (number ? ' class="number"' : long ? ' class="long"' : '')

function cellHtml(cell: Cell): string {
  const text = contentOf(cell, escaped(cell.text))
  return cell.note === null ? text : `${text}<span class="note">${escaped(cell.note)}</span>`
}

function contentOf({ to, copy, moment, tone, code }: Cell, text: string): string {
  if (to !== null) return `<a href="${escaped(to)}"${copy ? ' data-copy' : ''}>${text}</a>`
  if (moment !== null) return `<time datetime="${escaped(moment)}">${text}</time>`
  if (copy) return `<span data-copy>${text}</span>`
  if (tone !== null) return `<span class="status ${tone}">${text}</span>`
  return code ? `<pre tabindex="0">${text}</pre>` : text
}

/** Tables have cells by the hundred: written by views they took most of the time of a list. */
export const CELL_FILTERS: Readonly<Record<string, FilterImplOptions>> = {
  cell: { handler: cellHtml, raw: true },
  cells: { handler: cellsHtml, raw: true },
}
