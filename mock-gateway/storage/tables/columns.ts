import type { Generated } from 'kysely'
import type { Hundredths } from '../../domain/money/money.ts'
import { FLAG, JSON_TEXT, REPEATED_JSON, type TableCodec, tableCodec } from './codec.ts'

/** SQL type of each kind of column, the same on both databases. */
const SQL_TYPES = {
  id: 'bigint',
  text: 'text',
  flag: 'integer',
  integer: 'integer',
  amount: 'bigint',
  moment: 'bigint',
  json: 'text',
  repeatedJson: 'text',
} as const

type ColumnKind = keyof typeof SQL_TYPES

/** Codecs of the kinds that the databases do not store unchanged. */
const CODECS = { flag: FLAG, json: JSON_TEXT, repeatedJson: REPEATED_JSON } as const

/**
 * A column of a table. Its type, codec, SQL, empty value and field in fixtures follow from it.
 * @typeParam IsFilledIn true if the database fills the column in
 */
export interface Column<Value, IsFilledIn extends boolean = false> {
  readonly kind: ColumnKind
  readonly isNullable: boolean
  readonly isFilledIn: IsFilledIn
  /** Value in an empty row: null, or undefined if each row must name the column. */
  readonly empty?: Value
  /** Name of the migration that adds the column; undefined if the first tables had it. */
  readonly addedBy?: string
}

/** The columns of a table by name, in any order. */
export type Columns = Readonly<Record<string, Column<unknown, boolean>>>

type ValueOf<Each> = Each extends Column<infer Value, boolean> ? Value : never

/** The table type for Kysely. */
export type TableOf<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends Column<infer Value, infer IsFilledIn>
    ? IsFilledIn extends true
      ? Generated<Value>
      : Value
    : never
}

/** The columns that are null in an empty row. */
export type EmptyRow<Table extends Columns> = {
  readonly [Name in keyof Table as null extends ValueOf<Table[Name]> ? Name : never]: null
}

const column = <Value>(kind: ColumnKind): Column<Value> => ({
  kind,
  isNullable: false,
  isFilledIn: false,
})

/** The id of a row in this table or another. */
export const id = () => column<number>('id')
export const text = <Value extends string = string>() => column<Value>('text')
export const flag = () => column<boolean>('flag')
export const integer = () => column<number>('integer')
export const amount = () => column<Hundredths>('amount')
/** Epoch milliseconds. */
export const moment = () => column<number>('moment')
/** JSON text. */
export const json = <Value extends object>() => column<Value>('json')
/** JSON text that many rows share. */
export const repeatedJson = <Value extends object>() => column<Value>('repeatedJson')

/** A column that can be null, and is null in an empty row. */
export const nullable = <Value>(of: Column<Value>): Column<Value | null> => ({
  ...of,
  isNullable: true,
  empty: null,
})

/** A column that the database fills in when a row does not name it. */
export const filledIn = <Value>(of: Column<Value>): Column<Value, true> => ({
  kind: of.kind,
  isNullable: of.isNullable,
  isFilledIn: true,
})

/**
 * A column that a later version adds to existing data. It must be nullable. A released line stays
 * as it is, like every migration.
 * @param migration its name, such as `0009-note-for-packing`
 */
export const addedBy = <Value>(
  migration: string,
  of: Column<Value | null>,
): Column<Value | null> => ({ ...of, addedBy: migration })

/** The SQL that declares a column, such as `metadata text` or `test integer not null`. */
export const declarationOf = (name: string, { kind, isNullable }: Column<unknown, boolean>) =>
  `${name} ${SQL_TYPES[kind]}${isNullable ? '' : ' not null'}`

/** Creates the codec of a table. */
export function codecOf<Table extends Columns>(columns: Table): TableCodec<TableOf<Table>> {
  const codecs = Object.entries(columns).flatMap(([name, { kind }]) =>
    kind in CODECS ? [[name, CODECS[kind as keyof typeof CODECS]]] : [],
  )
  return tableCodec(Object.fromEntries(codecs))
}

/** Creates a row in which every nullable column is null. */
export const emptyRow = <Table extends Columns>(columns: Table): EmptyRow<Table> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { empty }]) => (empty === null ? [[name, null]] : [])),
  ) as EmptyRow<Table>
