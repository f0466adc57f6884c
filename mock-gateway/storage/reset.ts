import { sql } from 'kysely'
import { DATA_TABLES, ownedBy } from './data-tables.ts'
import type { Database } from './database.ts'
import { unlockLogins } from './login-failures.ts'
import { deleteSeed } from './seeds.ts'
import type { Queries } from './tables/schema.ts'

/**
 * Forgets all that merchants have done, or one of them; merchants and their keys stay. Once all is
 * forgotten, ids begin with 1 again.
 */
export async function resetData(database: Database, merchantId?: number): Promise<void> {
  await database.write(async (queries) => {
    if (merchantId === undefined && database.dialect === 'postgres') await lockTables(queries)
    for (const [table, owner] of Object.entries(DATA_TABLES))
      await sql`delete from ${sql.table(table)} ${merchantId === undefined ? sql`` : ownedBy(merchantId, owner)}`.execute(
        queries,
      )
    if (merchantId !== undefined) {
      await deleteSeed(queries, merchantId)
      return unlockLogins(queries, String(merchantId))
    }
    await queries.deleteFrom('login_failures').execute()
    await queries.deleteFrom('seeds').execute()
    await beginIdsAnew(queries, database.dialect)
  })
}

/**
 * Waits for running writes. Without this, a row that they insert keeps its old id while new ids
 * begin with 1.
 */
async function lockTables(queries: Queries): Promise<void> {
  const tables = Object.keys(DATA_TABLES).map((table) => sql.table(table))
  await sql`lock table ${sql.join(tables)} in access exclusive mode`.execute(queries)
}

async function beginIdsAnew(queries: Queries, dialect: Database['dialect']): Promise<void> {
  if (dialect === 'sqlite') await sql`delete from sqlite_sequence`.execute(queries)
  else
    for (const table of Object.keys(DATA_TABLES))
      await sql`alter table ${sql.table(table)} alter column id restart`.execute(queries)
}
