import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import { type Columns, declarationOf } from '../tables/columns.ts'
import { run } from './tables.ts'

/**
 * Creates the migrations of columns that name theirs with `addedBy`. The rows of snapshots get the
 * column too.
 */
export function addedColumns(
  tables: Readonly<Record<string, Columns>>,
): Readonly<Record<string, () => Migration>> {
  const added = Object.entries(tables).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([name, column]) =>
      column.addedBy === undefined
        ? []
        : [table, `snapshot_${table}`].map((into) => ({
            migration: column.addedBy,
            up: `alter table ${into} add column ${declarationOf(name, column)}`,
            down: `alter table ${into} drop column ${name}`,
          })),
    ),
  )
  return Object.fromEntries(
    [...Map.groupBy(added, ({ migration }) => migration)].map(([migration, changes]) => [
      migration,
      () => ({
        up: (db: Kysely<unknown>) =>
          run(
            db,
            changes.map(({ up }) => up),
          ),
        down: (db: Kysely<unknown>) =>
          run(
            db,
            changes.map(({ down }) => down),
          ),
      }),
    ]),
  )
}
