import { test } from 'vitest'
import { isLong } from './some.ts'

/**
 * `test` for the rows of a matrix whose columns are a `describe` each. In the long form each row
 * runs in every column; in the short one, inside `npm test`, the columns take turns: each row runs,
 * and each column, but not each pair of them.
 * @param column which of so many `columns` it is, from 0
 */
export function rowsInTurn(
  column: number,
  columns: number,
): (title: string, run: () => Promise<void>) => void {
  let row = 0
  return (title, run) => {
    if (isLong || row % columns === column) test(title, run)
    row += 1
  }
}
