import { memoized } from '../domain/memoized.ts'

/** Maximum number of different lists of columns. */
const SHAPES_LIMIT = 500

/** Creates the object of a row from its values, in the order of the columns. */
export type RowMaker = (values: readonly unknown[]) => Readonly<Record<string, unknown>>

/**
 * Creates the function that makes objects with these members, such as the columns of a row. Its code
 * is generated and names each of them, so that all rows have one shape: reading, presenting and
 * writing ten payments takes 152 µs, compared with 175 µs for a loop over the names, and about twice
 * as long with the objects of `node:sqlite` (style.md, rule 26). The names are columns of the
 * gateway's own statements or members of its contract, never text from a client.
 */
export const createRowMaker = (columns: readonly string[]): RowMaker =>
  compileMaker(columns.map((name, at) => `${JSON.stringify(name)}:values[${at}]`).join())

const compileMaker = memoized(
  SHAPES_LIMIT,
  (members) => new Function('values', `return {${members}}`) as RowMaker,
)
