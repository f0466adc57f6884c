import type { Generated, Insertable, Selectable } from 'kysely'
import type { FieldType } from '../../domain/listing.ts'
import type { Hundredths } from '../../domain/money/money.ts'
import { FLAG, JSON_TEXT, REPEATED_JSON, type TableCodec, tableCodec } from './codec.ts'

export type Dialect = 'sqlite' | 'postgres'

/** SQL type of each kind of column, the same on both databases. */
const SQL_TYPES = {
  id: 'bigint',
  text: 'text',
  flag: 'integer',
  integer: 'integer',
  amount: 'bigint',
  moment: 'bigint',
  count: 'bigint',
  real: 'double precision',
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
  /** The database counts the column up: it is the key of the table. */
  readonly isCounted?: boolean
  /** SQL at the end of the declaration: a key, a reference or a default. */
  readonly rest?: string
  /** Its possible values; undefined if it has any value of its type. */
  readonly values?: readonly Value[]
  /** How lists filter and order by it; undefined if they do not. */
  readonly listedAs?: FieldType
  /** How requests send it, in the parameter of its name; undefined if they do not. */
  readonly sentAs?: SentAs
}

/** A parameter that is stored as it is read: any decimal number, or a text of limited length. */
export type SentAs =
  | { readonly kind: 'decimal' }
  | { readonly kind: 'text'; readonly characters: number }

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

/** A row of a table, as the use cases see it. */
export type RowOf<Table extends Columns> = Selectable<TableOf<Table>>

/** A new row of a table whose ids the database counts up. */
export type NewRowOf<Table extends Columns> = Omit<Insertable<TableOf<Table>>, 'id'>

/** The columns that are null in an empty row. */
export type EmptyRow<Table extends Columns> = {
  readonly [Name in keyof Table as null extends ValueOf<Table[Name]> ? Name : never]: null
}

const withRest = <Value>(of: Column<Value>, rest: string): Column<Value> => ({ ...of, rest })

const column = <Value>(kind: ColumnKind): Column<Value> => ({
  kind,
  isNullable: false,
  isFilledIn: false,
})

/** The id of a row in another table, or a key that the gateway chooses. */
export const id = () => column<number>('id')
export const text = <Value extends string = string>() => column<Value>('text')
/** One of these texts. */
export const oneOf = <Value extends string>(values: readonly Value[]): Column<Value> => ({
  ...text<Value>(),
  values,
})
export const flag = () => column<boolean>('flag')
/** The id of a row that must exist. */
export const reference = (table: string) => withRest(id(), `references ${table} (id)`)
/** A key that is not counted up. */
export const primary = <Value>(of: Column<Value>) => withRest(of, 'primary key')
/** The key of a table, which the database counts up. */
export const key = (): Column<number, true> => ({ ...filledIn(id()), isCounted: true })
/** A key that is the id of a row in another table. */
export const createKey = (table: string): Column<number> => ({
  ...reference(table),
  isCounted: true,
})
export const integer = () => column<number>('integer')
export const amount = () => column<Hundredths>('amount')
/** An integer that does not fit into 32 bits. */
export const count = () => column<number>('count')
export const real = () => column<number>('real')
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

/** How a list compares the columns of a kind; all others as text. */
const COMPARED: Readonly<Partial<Record<ColumnKind, FieldType>>> = {
  id: 'integer',
  integer: 'integer',
  amount: 'decimal',
  moment: 'date',
  flag: 'boolean',
}

/** A column that lists can be filtered and ordered by (specification: Listing). */
export const listed = <Each extends Column<unknown, boolean>>(
  of: Each,
  as: FieldType = COMPARED[of.kind] ?? 'string',
): Each => ({ ...of, listedAs: as })

/** A column that new orders and their updates set with the parameter of its name. */
export const sent = <Each extends Column<unknown>>(of: Each, sentAs: SentAs) => ({ ...of, sentAs })

/** Names of the columns that requests send. */
export type SentName<Table extends Columns> = {
  [Name in keyof Table]: Table[Name] extends { readonly sentAs: SentAs } ? Name & string : never
}[keyof Table]

/**
 * A column that the database fills in when a row does not name it.
 * @param value SQL of the value; without it, the column is null
 */
export const filledIn = <Value>(of: Column<Value>, value?: string): Column<Value, true> => ({
  kind: of.kind,
  isNullable: of.isNullable,
  isFilledIn: true,
  ...(value !== undefined && { rest: `default ${value}` }),
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

/** Declares a key that the database counts up. */
const COUNTED: Readonly<Record<Dialect, string>> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigint generated by default as identity primary key',
}

/** The SQL that declares a column, such as `metadata text` or `test integer not null`. */
export const declareColumn = (
  name: string,
  { kind, isNullable, isCounted, rest }: Column<unknown, boolean>,
  dialect: Dialect,
) =>
  [
    name,
    isCounted ? COUNTED[dialect] : SQL_TYPES[kind],
    !isNullable && !isCounted && 'not null',
    rest,
  ]
    .filter(Boolean)
    .join(' ')

/** Creates the codec of a table. */
export function createCodec<Table extends Columns>(columns: Table): TableCodec<TableOf<Table>> {
  const codecs = Object.entries(columns).flatMap(([name, { kind }]) =>
    kind in CODECS ? [[name, CODECS[kind as keyof typeof CODECS]]] : [],
  )
  return tableCodec(Object.fromEntries(codecs))
}

/** Names the columns of a table, without some of them. */
export const namesWithout = <Table extends Columns, Left extends keyof Table>(
  columns: Table,
  ...left: readonly Left[]
) =>
  Object.keys(columns).filter((name) => !left.some((each) => each === name)) as Exclude<
    keyof Table & string,
    Left
  >[]

/** Creates a row in which every nullable column is null. */
export const emptyRow = <Table extends Columns>(columns: Table): EmptyRow<Table> =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([name, { empty }]) => (empty === null ? [[name, null]] : [])),
  ) as EmptyRow<Table>
