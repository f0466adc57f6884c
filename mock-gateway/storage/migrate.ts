import type { Kysely } from 'kysely'
import { type Migration, type MigrationProvider, Migrator, NO_MIGRATIONS } from 'kysely/migration'

import { firstTables } from './migrations/0001-first-tables.ts'
import type { Dialect, Tables } from './schema.ts'

/** Every change of the tables, oldest first. A released one is never edited: add the next. */
const MIGRATIONS: Readonly<Record<string, (dialect: Dialect) => Migration>> = {
  '0001-first-tables': firstTables,
}

/** The data was written by a newer version of the gateway; this one would damage it. */
export class NewerSchemaError extends Error {
  override readonly name = 'NewerSchemaError'
}

/**
 * Brings the tables up to this version.
 * @throws NewerSchemaError when the database knows a migration that this version does not
 */
export async function migrateToLatest(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await refuseNewer(db)
  await run(migrator(db, dialect).migrateToLatest())
}

/** Takes every table away again, with all data. For tests of the way back. */
export async function migrateDown(db: Kysely<Tables>, dialect: Dialect): Promise<void> {
  await run(migrator(db, dialect).migrateTo(NO_MIGRATIONS))
}

function migrator(db: Kysely<Tables>, dialect: Dialect): Migrator {
  const provider: MigrationProvider = {
    getMigrations: async () =>
      Object.fromEntries(Object.entries(MIGRATIONS).map(([name, migration]) => [name, migration(dialect)])),
  }
  return new Migrator({ db, provider })
}

async function run(result: ReturnType<Migrator['migrateToLatest']>) {
  const { error } = await result
  if (error) throw error
}

async function refuseNewer(db: Kysely<Tables>) {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some(({ name }) => name === 'kysely_migration')) return
  const applied = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = applied.map(({ name }) => name).filter((name) => !Object.hasOwn(MIGRATIONS, name))
  if (unknown.length > 0)
    throw new NewerSchemaError(
      `The data was written by a newer version of the gateway (it has the change "${unknown[0]}"). ` +
        'Use that version, or start with another data folder.',
    )
}
