import type { FilterImplOptions } from 'liquidjs'
import type { Cell } from './cells.ts'
import { cell } from './design/cell.ts'
import { cells } from './design/table.ts'

/** Filters for the pages whose views are Liquid still. */
export const CELL_FILTERS: Readonly<Record<string, FilterImplOptions>> = {
  cell: { handler: (of: Cell) => String(cell(of)), raw: true },
  cells: { handler: (row: readonly Cell[], heads: readonly string[]) => String(cells(row, heads)), raw: true },
}
