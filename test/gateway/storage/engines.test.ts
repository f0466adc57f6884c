import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import { insertRow, updateRow } from '../../../mock-gateway/storage/rows.ts'
import { sourcesLike } from '../../helpers/sources.ts'
import { openTestDatabase, openTestPlace, postgresPlace } from './databases.ts'
import { customerRow, newMerchant } from './new-rows.ts'

test.each([
  ['journal_mode', 'wal'],
  ['synchronous', 2],
  ['foreign_keys', 1],
])(
  'webhook rule 23: an SQLite file is opened with %s = %s, so that committed data survive a crash',
  async (name, value) => {
    const target = await openTestPlace()
    const database = await openTestDatabase(target)
    const { rows } = await sql`select * from ${sql.raw(`pragma_${name}`)}`.execute(database.db)
    expect(rows).toEqual([{ [name]: value }])
  },
)

test('webhook rule 23: an SQLite file waits for the disk only in commits that must survive', async () => {
  const { db, write, writeUnflushed } = await openTestDatabase(await openTestPlace())
  const mode = async (queries: typeof db) => {
    const { rows } = await sql<{ synchronous: number }>`select * from pragma_synchronous`.execute(
      queries,
    )
    return rows[0]?.synchronous
  }
  const [NORMAL, FULL] = [1, 2]
  expect(await writeUnflushed(mode)).toBe(NORMAL)
  expect(await write(mode)).toBe(FULL)
  expect(await writeUnflushed(mode)).toBe(NORMAL)
  expect(await Promise.all([writeUnflushed(mode), write(mode)]), 'of one moment').toEqual([
    FULL,
    FULL,
  ])
})

test("webhook rule 23: the gateway does not change PostgreSQL's setting for flushing commits, which is on by default", async () => {
  const { db, write } = await openTestDatabase(await openTestPlace(postgresPlace))
  const look = async (queries: typeof db) => {
    const { rows } = await sql<{ source: string }>`select source from pg_settings
      where name in ('synchronous_commit', 'fsync') order by name`.execute(queries)
    return rows.map(({ source }) => source)
  }
  for (const sources of [await look(db), await write(look)])
    for (const source of sources)
      expect(['default', 'configuration file', 'command line']).toContain(source)
})

test('a file that is not an SQLite file is rejected and stays unchanged', async () => {
  const target = await openTestPlace()
  await writeFile(target, 'a diary, not a database. '.repeat(100))
  await expect(openDatabase(target)).rejects.toThrow('not a database')
  expect(await readFile(target, 'utf8')).toMatch(/^a diary/)
})

test('PostgreSQL that drops a connection in the middle of a query fails that query, and not the process', async () => {
  const target = await openTestPlace(postgresPlace)
  const [ours, theirs] = [await openTestDatabase(target), await openTestDatabase(target)]
  const id = await newMerchant(ours.db)
  const waiting = sql`select pg_sleep(30)`.execute(ours.db)
  const dropped = expect(waiting).rejects.toThrow()
  const drop = () =>
    sql<{ pid: number }>`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'select pg_sleep%'`.execute(theirs.db)
  await expect.poll(async () => (await drop()).rows.length).toBeGreaterThan(0)
  await dropped
  await expect.poll(() => findMerchant(ours.db, id).catch(() => undefined)).toMatchObject({ id })
})

test('a PostgreSQL database that does not exist is rejected', async () => {
  const { target, remove } = await postgresPlace()
  await remove()
  await expect(openDatabase(target)).rejects.toThrow('does not exist')
})

test('a write is repeated if PostgreSQL ends it because of a deadlock', async () => {
  const database = await openTestDatabase(await openTestPlace(postgresPlace))
  const merchantId = await newMerchant(database.db)
  const one = await insertRow(database.db, 'customers', customerRow(merchantId))
  const other = await insertRow(database.db, 'customers', customerRow(merchantId))
  const bothBegan = rendezvous(2)
  const change = (first: number, second: number) =>
    database.write(async (queries) => {
      await updateRow(queries, 'customers', first, { metadata: {} })
      await bothBegan()
      return updateRow(queries, 'customers', second, { metadata: {} })
    })
  const changed = await Promise.all([change(one.id, other.id), change(other.id, one.id)])
  expect(changed.map(({ id, metadata }) => [id, metadata])).toEqual([
    [other.id, {}],
    [one.id, {}],
  ])
})

/** Creates a barrier that releases its callers when enough of them have reached it. */
function rendezvous(count: number): () => Promise<void> {
  let missing = count
  let open = () => {}
  const everybody = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    if (--missing === 0) open()
    return everybody
  }
}

test('no query has a limit for which SQLite would prepare its statement again', () => {
  const bare = sourcesLike('mock-gateway/**/*.ts').flatMap((file) =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /\.limit\((?!atMost\(|sql\.lit\().*|\blimit \$\{(?!(?:writeWholeNumber|atMost)\().*/g,
      ),
    ].map(([text]) => `${file}: ${text}`),
  )
  expect(bare).toEqual([])
})
