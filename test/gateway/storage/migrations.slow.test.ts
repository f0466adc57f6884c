import { rename } from 'node:fs/promises'
import { Kysely, sql } from 'kysely'
import pg from 'pg'
import { describe, expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import {
  ForeignTablesError,
  MIGRATIONS,
  migrateToLatest,
  UnsupportedSchemaError,
} from '../../../mock-gateway/storage/migrate.ts'
import { createPostgresDialect } from '../../../mock-gateway/storage/postgres.ts'
import { openSqlite } from '../../../mock-gateway/storage/sqlite.ts'
import type { Dialect, StoredTables } from '../../../mock-gateway/storage/tables/schema.ts'
import {
  EMPTY_DATABASES,
  emptyPostgresPlace,
  OWN_DATABASES,
  openTestDatabase,
  openTestPlace,
} from './databases.ts'
import { newMerchant } from './new-rows.ts'

/** Creates a database without tables, and deletes it after the test. */
async function openEmpty(open: (typeof EMPTY_DATABASES)[number][1]) {
  const target = await openTestPlace(open)
  const dialect: Dialect = target.startsWith('postgres') ? 'postgres' : 'sqlite'
  const path = target === 'memory' ? ':memory:' : target
  const db =
    dialect === 'postgres'
      ? new Kysely<StoredTables>({ dialect: createPostgresDialect(target) })
      : await openSqlite(path)
  onTestFinished(() => db.destroy())
  return { db, dialect }
}

const TABLES = [
  'authentications',
  'captures',
  'customers',
  'log_events',
  'console_sessions',
  'login_failures',
  'merchants',
  'next_authentications',
  'plans',
  'refunds',
  'row_counts',
  'stored_cards',
  'subscription_charges',
  'subscriptions',
  'templates',
  'transactions',
  'webhooks',
]

const tablesOf = async (db: Kysely<StoredTables>) =>
  (await db.introspection.getTables()).map(({ name }) => name).sort()

describe.each(EMPTY_DATABASES)('%s', (_name, open) => {
  test('migrations create the tables, and a second run changes nothing', async () => {
    const { db, dialect } = await openEmpty(open)
    await migrateToLatest(db, dialect)
    const first = await tablesOf(db)
    expect(first).toEqual(expect.arrayContaining(TABLES))
    await migrateToLatest(db, dialect)
    expect(await tablesOf(db)).toEqual(first)
  })

  test('a start that fails halfway does not block the next start', async () => {
    const { db, dialect } = await openEmpty(open)
    Object.assign(MIGRATIONS, { '9999-next': () => ['create table webhooks (id integer)'] })
    const start = migrateToLatest(db, dialect).finally(() =>
      Reflect.deleteProperty(MIGRATIONS, '9999-next'),
    )
    await expect(start).rejects.toThrow('already exists')
    await migrateToLatest(db, dialect)
    expect(await tablesOf(db)).toEqual(expect.arrayContaining(TABLES))
  })
})

test('a PostgreSQL database can be shared with a shop, whose tables are neither read nor changed', async () => {
  const target = await openTestPlace(emptyPostgresPlace)
  const shop = new pg.Client({ connectionString: target })
  await shop.connect()
  await shop.query('create table customers (nick text); create table migrations (done text)')
  const database = await openDatabase(target)
  const { rows } = await shop.query(
    "select table_schema from information_schema.tables where table_name = 'customers'",
  )
  expect(rows.map(({ table_schema }) => table_schema).sort()).toEqual(['mondido', 'public'])
  await database.close()
  await (await openDatabase(target)).close()
  await shop.end()
})

describe.each(OWN_DATABASES)('%s', (_name, open) => {
  test('tables of another program are rejected and stay unchanged', async () => {
    const target = await openTestPlace(open)
    const ours = await openTestDatabase(target)
    await sql`alter table migrations rename to orders`.execute(ours.db)
    const before = await tablesOf(ours.db)
    await expect(openDatabase(target)).rejects.toThrow(ForeignTablesError)
    expect(await tablesOf(ours.db)).toEqual(before)
  })

  test('after the next version has changed the data, this version rejects them with the name of that version, and does not change them', async () => {
    const target = await openTestPlace(open)
    const older = await openDatabase(target)
    const merchantId = await newMerchant(older.db)
    await older.close()
    Object.assign(MIGRATIONS, {
      '9999-next': () => ['alter table merchants add column motto text'],
    })
    const newer = await openTestDatabase(target).finally(() =>
      Reflect.deleteProperty(MIGRATIONS, '9999-next'),
    )
    const read = () =>
      sql<object>`select id, motto from merchants where id = ${merchantId}`.execute(newer.db)
    expect((await read()).rows).toEqual([{ id: merchantId, motto: null }])
    const refusal = await openDatabase(target).catch((error) => error)
    expect(refusal).toBeInstanceOf(UnsupportedSchemaError)
    expect(refusal.message).toContain('9999-next')
    expect((await read()).rows).toHaveLength(1)
  })

  test.each([
    'alter table migrations rename to kysely_migration',
    "update migrations set name = '0001-tables'",
  ])(
    'data of a version before 2.0.0 are rejected with one sentence, and stay as they are: %s',
    async (statement) => {
      const target = await openTestPlace(open)
      const older = await openDatabase(target)
      await newMerchant(older.db)
      await sql.raw(statement).execute(older.db)
      const refusal = await openDatabase(target).catch((error) => error)
      expect(refusal).toBeInstanceOf(UnsupportedSchemaError)
      expect((await sql`select id from merchants`.execute(older.db)).rows).toHaveLength(1)
      const [, command = ''] = /"(.*)"/.exec(refusal.message) ?? []
      if (older.dialect === 'postgres') await sql.raw(command).execute(older.db)
      await older.close()
      if (older.dialect === 'sqlite') {
        expect(command).toBe('mv .mondido .mondido-old')
        await rename(target, `${target}-old`)
      }
      const newer = await openTestDatabase(target)
      expect((await sql`select id from merchants`.execute(newer.db)).rows).toEqual([])
    },
  )

  test('two gateways can open the same new database simultaneously', async () => {
    const target = await openTestPlace(open)
    const databases = await Promise.all(Array.from({ length: 3 }, () => openTestDatabase(target)))
    for (const { db } of databases)
      expect(await tablesOf(db)).toEqual(expect.arrayContaining(TABLES))
  })
})
