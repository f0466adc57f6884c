import type { ColumnType, Insertable, Selectable, Updateable } from 'kysely'
import { parseExactly } from '../../domain/json.ts'
import { memoized } from '../../domain/memoized.ts'

/** Values that both databases store unchanged. */
type PlainValue = string | number | null | undefined

type StoredValue<Value> = Value extends PlainValue ? Value : Value extends boolean ? 0 | 1 : string

/** A table as the databases store it: flags are 0 or 1, objects and lists are JSON text. */
export type StoredTable<Table> = {
  [Column in keyof Table]: Table[Column] extends ColumnType<infer Read, infer New, infer Changed>
    ? ColumnType<StoredValue<Read>, StoredValue<New>, StoredValue<Changed>>
    : StoredValue<Table[Column]>
}

/** Encodes and decodes the value of one column. Null stays null. */
interface ColumnCodec<Value, Held> {
  encode(value: Value): Held
  decode(kept: Held): Value
}

/** True is 1, false is 0. */
export const FLAG: ColumnCodec<boolean, 0 | 1> = {
  encode: (value) => (value ? 1 : 0),
  decode: (kept) => kept === 1,
}

/** JSON of any shape, which the table's type defines. Numbers keep their digits. */
export const JSON_TEXT = {
  encode: (value: unknown): string => JSON.stringify(value),
  decode: (kept: string) => (MAY_LOSE_DIGITS.test(kept) ? parseExactly(kept) : JSON.parse(kept)),
}

/**
 * Like `JSON_TEXT`, for columns in which many rows have the same text: it is parsed once, and they
 * share the value.
 */
export const REPEATED_JSON = { encode: JSON_TEXT.encode, decode: memoized(1_000, JSON_TEXT.decode) }

/**
 * Finds numbers whose digits `JSON.parse` may change, in the text of an object or a list:
 * 1234567890123456, 0.0000001, 1e5, 1.50 and -0. A false match costs time, a missed number digits.
 */
const MAY_LOSE_DIGITS = /[[:,]-?(?:[\d.]{16}|0\.0{6}|\d[\d.]*[eE]|\d+\.\d*0[,\]}])|-0[,\]}]/

type EncodedColumn<Row> = {
  [Column in keyof Row]: Row[Column] extends PlainValue ? never : Column
}[keyof Row]

/** A codec for each column that needs one; a missing or additional codec does not compile. */
type ColumnCodecs<Table, Row = Selectable<Table>, KeptRow = Selectable<StoredTable<Table>>> = {
  readonly [Column in EncodedColumn<Row> & keyof KeptRow]: ColumnCodec<
    NonNullable<Row[Column]>,
    NonNullable<KeptRow[Column]>
  >
} & { readonly [Column in Exclude<keyof Row, EncodedColumn<Row>>]?: never }

/**
 * Converts rows between the types of the use cases and the types of the databases. Omitted columns
 * stay omitted.
 */
export interface TableCodec<Table> {
  encode(values: Insertable<Table>): Insertable<StoredTable<Table>>
  encode(changes: Updateable<Table>): Updateable<StoredTable<Table>>
  decode(row: Selectable<StoredTable<Table>>): Selectable<Table>
  decode<Column extends keyof Selectable<Table> & keyof Selectable<StoredTable<Table>>>(
    row: Pick<Selectable<StoredTable<Table>>, Column>,
  ): Pick<Selectable<Table>, Column>
}

export function tableCodec<Table>(columns: ColumnCodecs<Table>): TableCodec<Table> {
  const codecs: [string, ColumnCodec<unknown, unknown>][] = Object.entries(columns)
  // The overloads above define the types; here all rows are alike.
  const recoded = (row: object, way: 'encode' | 'decode') => {
    if (codecs.length === 0) return row as never
    const result: Record<string, unknown> = { ...row }
    for (const [column, codec] of codecs) {
      const value = result[column]
      if (value !== null && value !== undefined) result[column] = codec[way](value)
    }
    return result as never
  }
  return {
    encode: (values: object) => recoded(values, 'encode'),
    decode: (row: object) => recoded(row, 'decode'),
  }
}
