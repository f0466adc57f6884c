import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { resetData } from '../../../mock-gateway/storage/reset.ts'
import { insertRow } from '../../../mock-gateway/storage/rows.ts'
import type { Queries } from '../../../mock-gateway/storage/tables/schema.ts'
import { DATABASES, openTestDatabase, sharedPlace } from './databases.ts'
import { customerRow, newMerchant } from './new-rows.ts'

/**
 * Returns true if a statement on PostgreSQL waits for a lock. SQLite has only one write at a time.
 */
const waiting = async (queries: Queries): Promise<boolean> =>
  (
    await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
      queries,
    )
  ).rows.length > 0

describe.each(DATABASES)('a reset on %s', async (_name, open) => {
  const target = await sharedPlace(open)

  test('deletes rows of a write that was running, and ids begin with 1 again', async () => {
    const database = await openTestDatabase(target)
    const merchantId = await newMerchant(database.db)
    const add = (queries: Queries, ref: string) =>
      insertRow(queries, 'customers', customerRow(merchantId, { ref }))
    await database.write((queries) => add(queries, 'earlier'))
    const [inserted, finish] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const running = database.write(async (queries) => {
      await add(queries, 'running')
      inserted.resolve()
      await finish.promise
    })
    await inserted.promise
    // On PostgreSQL another gateway resets the data, because a gateway first waits for its own
    // writes.
    const other = database.dialect === 'postgres' ? await openTestDatabase(target) : database
    const reset = resetData(other)
    if (other !== database) await expect.poll(() => waiting(database.db)).toBe(true)
    finish.resolve()
    await Promise.all([running, reset])
    expect(await database.db.selectFrom('customers').select('ref').execute()).toEqual([])
    expect(await database.write((queries) => add(queries, 'later'))).toMatchObject({ id: 1 })
  })
})
