import { test } from 'vitest'
import { isLong } from './some.ts'

/**
 * Returns a function like `test` for the rows of a table whose columns are different `describe`
 * blocks. The full run tests each row in every column. In the short run of `npm test` the columns
 * take turns: each row and each column is tested, but not each combination.
 * @param column number of this column, from 0
 * @param columns number of columns
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
