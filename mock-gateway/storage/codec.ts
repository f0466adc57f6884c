import type { ColumnType, Generated, Insertable, Selectable, Updateable } from 'kysely'

/** Set by the database when a row is inserted. */
export type Id = Generated<number>

/** What both databases keep as it is. */
type Plain = string | number | null | undefined

type KeptValue<Value> = Value extends Plain ? Value : Value extends boolean ? 0 | 1 : string

/** A table as the databases hold it: flags are 0 or 1, objects and lists are JSON text. */
export type Kept<Table> = {
  [Column in keyof Table]: Table[Column] extends ColumnType<infer Read, infer New, infer Changed>
    ? ColumnType<KeptValue<Read>, KeptValue<New>, KeptValue<Changed>>
    : KeptValue<Table[Column]>
}

/** How the value of one column is kept. Null is kept as it is. */
interface ColumnCodec<Value, Held> {
  encode(value: Value): Held
  decode(kept: Held): Value
}

/** True is 1, false is 0. */
export const FLAG: ColumnCodec<boolean, 0 | 1> = {
  encode: (value) => (value ? 1 : 0),
  decode: (kept) => kept === 1,
}

/** Of any shape: the table says which. */
export const JSON_TEXT = {
  encode: (value: unknown): string => JSON.stringify(value),
  decode: (kept: string) => JSON.parse(kept),
}

type EncodedColumn<Row> = { [Column in keyof Row]: Row[Column] extends Plain ? never : Column }[keyof Row]

/** A codec for each column that is not kept as it is; one too few or too many does not compile. */
type ColumnCodecs<Table, Row = Selectable<Table>, KeptRow = Selectable<Kept<Table>>> = {
  readonly [Column in EncodedColumn<Row> & keyof KeptRow]: ColumnCodec<
    NonNullable<Row[Column]>,
    NonNullable<KeptRow[Column]>
  >
} & { readonly [Column in Exclude<keyof Row, EncodedColumn<Row>>]?: never }

/** Between a table as the use cases see it and as the databases hold it. Columns that are not there stay away. */
export interface TableCodec<Table> {
  encode(values: Insertable<Table>): Insertable<Kept<Table>>
  encode(changes: Updateable<Table>): Updateable<Kept<Table>>
  decode(row: Selectable<Kept<Table>>): Selectable<Table>
}

export function tableCodec<Table>(columns: ColumnCodecs<Table>): TableCodec<Table> {
  const codecs: [string, ColumnCodec<unknown, unknown>][] = Object.entries(columns)
  // The signatures above say what becomes of which row; here all rows are alike.
  const recoded = (row: object, way: 'encode' | 'decode') => {
    const result: Record<string, unknown> = { ...row }
    for (const [column, codec] of codecs) {
      const value = result[column]
      if (value !== null && value !== undefined) result[column] = codec[way](value)
    }
    return result as never
  }
  return { encode: (values: object) => recoded(values, 'encode'), decode: (row) => recoded(row, 'decode') }
}
