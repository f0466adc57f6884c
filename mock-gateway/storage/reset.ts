import { sql } from 'kysely'
import { dataTables, isOwnedBy, lockDataTables } from './data-tables.ts'
import type { Database } from './database.ts'
import { unlockLogins } from './login-failures.ts'
import { deleteRows } from './rows.ts'
import type { Queries } from './tables/schema.ts'

/**
 * Deletes all data of the merchants, or of one merchant; merchants and their keys stay. After a
 * reset of all, ids start with 1 again.
 */
export async function resetData(database: Database, merchantId?: number): Promise<void> {
  await database.writeAlone(async (queries) => {
    if (merchantId === undefined && database.dialect === 'postgres') await lockDataTables(queries)
    for (const table of dataTables)
      await sql`delete from ${sql.table(table)} where ${isOwnedBy(table, merchantId)}`.execute(
        queries,
      )
    if (merchantId !== undefined) {
      await deleteRows(queries, 'seeds', { merchant_id: merchantId })
      return unlockLogins(queries, String(merchantId))
    }
    for (const table of ['login_failures', 'seeds'] as const) await deleteRows(queries, table, {})
    await restartIds(queries, database.dialect)
  })
}

async function restartIds(queries: Queries, dialect: Database['dialect']): Promise<void> {
  if (dialect === 'sqlite') await sql`delete from sqlite_sequence`.execute(queries)
  else
    for (const table of dataTables)
      await sql`alter table ${sql.table(table)} alter column id restart`.execute(queries)
}
