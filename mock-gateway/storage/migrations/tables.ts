import { type Columns, declareColumn } from '../tables/columns.ts'
import { INDEXES } from '../tables/indexes.ts'
import type { Dialect } from '../tables/schema.ts'
import { listRowCounts } from './row-counts.ts'

/** Schema of the tables in a PostgreSQL database, which can also be a shop's (our decision). */
export const SCHEMA = 'mondido'

/** The statements of a change of the tables. */
export type Migration = (dialect: Dialect) => readonly string[]

/** Creates every table with the columns that no later version adds. */
export const createFirstTables =
  (tables: Readonly<Record<string, Columns>>): Migration =>
  (dialect) => [
    ...(dialect === 'postgres' ? [`create schema if not exists ${SCHEMA}`] : []),
    'create table migrations (name text primary key)',
    ...Object.entries(tables).map(([table, columns]) => {
      const first = Object.entries(columns).filter(([, { addedBy }]) => addedBy === undefined)
      const declared = first.map(([name, column]) => declareColumn(name, column, dialect))
      return `create table ${table} (${declared.join(', ')})`
    }),
    ...INDEXES.map((index) => `create ${index}`),
    ...listRowCounts(dialect),
    ...(dialect === 'postgres' ? ROWS_IN_ONE_PIECE : []),
  ]

/**
 * Tables with a request, an answer or a webhook in each row, of 3 KB as a rule. PostgreSQL stores a
 * row of up to 4 KB as it is. By default, it compresses a row of more than 2 KB and writes the
 * longest text to a second table.
 */
const ROWS_IN_ONE_PIECE = ['requests', 'webhook_bodies'].map(
  (table) => `alter table ${table} set (toast_tuple_target = 4080)`,
)

/** Creates the migrations of columns that name theirs with `addedBy`. */
export function createAddedColumns(
  tables: Readonly<Record<string, Columns>>,
): Readonly<Record<string, Migration>> {
  const added = Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([name, column]) =>
      column.addedBy === undefined ? [] : [{ table, name, column, migration: column.addedBy }],
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(added, ({ migration }) => migration)].map(([migration, changes]) => [
      migration,
      (dialect: Dialect) =>
        changes.map(
          ({ table, name, column }) =>
            `alter table ${table} add column ${declareColumn(name, column, dialect)}`,
        ),
    ]),
  )
}
