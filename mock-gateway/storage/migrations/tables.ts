import type { CreateTableBuilder } from 'kysely'
import type { Dialect } from '../tables/schema.ts'

/** Gives a table its `id`, which the database counts up. Released migrations rely on it: it stays as it is. */
export function identified<T extends string>(
  table: CreateTableBuilder<T, never>,
  dialect: Dialect,
): CreateTableBuilder<T, string> {
  return dialect === 'sqlite'
    ? table.addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
    : table.addColumn('id', 'bigint', (c) => c.primaryKey().generatedByDefaultAsIdentity())
}
