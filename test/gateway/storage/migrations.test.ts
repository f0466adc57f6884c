import { randomBytes } from 'node:crypto'
import { Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { openDatabase } from '../../../mock-gateway/storage/database.ts'
import { findMerchant } from '../../../mock-gateway/storage/merchants.ts'
import {
  ForeignTablesError,
  MIGRATIONS,
  migrateDown,
  migrateToLatest,
  NewerSchemaError,
} from '../../../mock-gateway/storage/migrate.ts'
import { postgresDialect } from '../../../mock-gateway/storage/postgres.ts'
import { insertRequests } from '../../../mock-gateway/storage/requests.ts'
import { openSqlite } from '../../../mock-gateway/storage/sqlite.ts'
import type { Dialect, StoredTables } from '../../../mock-gateway/storage/tables/schema.ts'
import { insertTransaction } from '../../../mock-gateway/storage/transactions.ts'
import { inRepository } from '../../helpers/documents.ts'
import { EMPTY_DATABASES, emptyPostgresPlace, memoryPlace, OWN_DATABASES } from './databases.ts'
import { newMerchant, requestRow, transactionRow } from './new-rows.ts'

/** Creates a database without tables, calls `use` with it, and deletes it. */
async function onEmpty(
  open: (typeof EMPTY_DATABASES)[number][1],
  use: (db: Kysely<StoredTables>, dialect: Dialect) => Promise<void>,
) {
  const { target, remove } = await open()
  const dialect = target.startsWith('postgres') ? 'postgres' : 'sqlite'
  const path = target === 'memory' ? ':memory:' : target
  const db =
    dialect === 'postgres'
      ? new Kysely<StoredTables>({ dialect: postgresDialect(target) })
      : await openSqlite(path)
  try {
    await use(db, dialect)
  } finally {
    await db.destroy()
    await remove()
  }
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

/**
 * Queries for objects of a database other than tables. None may remain after all migrations are
 * undone.
 */
const leftovers = {
  sqlite: sql<{
    name: string
  }>`select name from sqlite_schema where type in ('trigger', 'index') and tbl_name not like 'kysely%'`,
  postgres: sql<{
    name: string
  }>`select proname as name from pg_proc join pg_namespace n on n.oid = pronamespace where nspname = 'mondido'`,
}

describe.each(EMPTY_DATABASES)('%s', (_name, open) => {
  test('migrations up create the tables, a second run changes nothing, and migrations down drop everything', () =>
    onEmpty(open, async (db, dialect) => {
      await migrateToLatest(db, dialect)
      expect(await tablesOf(db)).toEqual(expect.arrayContaining(TABLES))
      await migrateToLatest(db, dialect)
      await migrateDown(db, dialect)
      expect(await tablesOf(db)).toEqual([])
      expect((await leftovers[dialect].execute(db)).rows).toEqual([])
    }))

  test('after down, up creates the tables again', () =>
    onEmpty(open, async (db, dialect) => {
      await migrateToLatest(db, dialect)
      const first = await tablesOf(db)
      await migrateDown(db, dialect)
      await migrateToLatest(db, dialect)
      expect(await tablesOf(db)).toEqual(first)
    }))

  test('a start that fails halfway does not block the next start', () =>
    onEmpty(open, async (db, dialect) => {
      await migrateToLatest(db, dialect)
      await migrateDown(db, dialect)
      await db.schema.createTable('webhooks').addColumn('id', 'integer').execute()
      await expect(migrateToLatest(db, dialect)).rejects.toThrow('already exists')
      await db.schema.dropTable('webhooks').execute()
      await migrateToLatest(db, dialect)
      expect(await tablesOf(db)).toEqual(expect.arrayContaining(TABLES))
    }))
})

test('a PostgreSQL database can be shared with a shop, whose tables are neither read nor changed', async () => {
  const { target, remove } = await emptyPostgresPlace()
  const shop = new pg.Client({ connectionString: target })
  await shop.connect()
  await shop.query('create table customers (nick text); create table kysely_migration (done text)')
  const database = await openDatabase(target)
  const { rows } = await shop.query(
    "select table_schema from information_schema.tables where table_name = 'customers'",
  )
  expect(rows.map(({ table_schema }) => table_schema).sort()).toEqual(['mondido', 'public'])
  await database.close()
  await (await openDatabase(target)).close()
  await shop.end()
  await remove()
})

/** Returns the statements that created the tables, indexes and triggers, in their order. */
async function statementsOf(db: Kysely<StoredTables>): Promise<string[]> {
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_schema where sql is not null and name <> 'sqlite_sequence' order by rowid`.execute(
    db,
  )
  return rows.map((row) => row.sql)
}

test('a new SQLite database gets the tables that all migrations create', () =>
  onEmpty(memoryPlace, async (db) => {
    await migrateToLatest(db, 'sqlite')
    const names = Object.keys(MIGRATIONS).sort()
    const statements = [
      ...(await statementsOf(db)),
      "insert into kysely_migration_lock values ('migration_lock', 0)",
      ...names.map(
        (name) =>
          `insert into kysely_migration values ('${name}', strftime('%Y-%m-%dT%H:%M:%fZ', 'now'))`,
      ),
    ]
    await expect(
      '/** The tables of a new SQLite database. A test writes this file from the migrations. */\n' +
        `export const NEW_SQLITE_TABLES = \`\n${statements.join(';\n')};\n\`\n`,
    ).toMatchFileSnapshot(inRepository('mock-gateway/storage/migrations/new-sqlite-tables.ts'))
    const created = await openDatabase('memory')
    expect(await statementsOf(created.db)).toEqual(await statementsOf(db))
    await created.close()
  }))

test('the first tables have exactly the form in which they were released', async () => {
  const db = await openSqlite(':memory:')
  await MIGRATIONS['0001-first-tables']?.('sqlite').up(db)
  const { rows } = await sql<{ sql: string }>`
    select sql from sqlite_master where sql is not null order by type, name`.execute(db)
  await expect(`${rows.map((row) => `${row.sql};`).join('\n')}\n`).toMatchFileSnapshot(
    'released/0001-first-tables.sql',
  )
  await db.destroy()
})

test('PostgreSQL stores a request log text of 3 KB inside its row', async () => {
  const { target, remove } = await emptyPostgresPlace()
  const { db, close } = await openDatabase(target)
  const contents = randomBytes(1_500).toString('hex')
  await insertRequests(db, [requestRow(1, { contents })])
  const { rows } = await sql<{ bytes: number; apart: number }>`
    select pg_column_size(contents) as bytes, pg_relation_size(reltoastrelid) as apart
    from requests, pg_class where oid = 'requests'::regclass`.execute(db)
  expect(rows).toEqual([{ bytes: 3_004, apart: 0 }])
  await close()
  await remove()
})

describe.each(OWN_DATABASES)('%s', (_name, open) => {
  test('tables of another program are rejected and stay unchanged', async () => {
    const { target, remove } = await open()
    const ours = await openDatabase(target)
    await sql`alter table kysely_migration rename to orders`.execute(ours.db)
    const before = await tablesOf(ours.db)
    await expect(openDatabase(target)).rejects.toThrow(ForeignTablesError)
    expect(await tablesOf(ours.db)).toEqual(before)
    await ours.close()
    await remove()
  })

  test('after the next version has changed the data, this version rejects them with the name of that version, and does not change them', async () => {
    const { target, remove } = await open()
    const older = await openDatabase(target)
    const merchantId = await newMerchant(older.db)
    await older.close()
    const next: Migration = {
      up: (db) => db.schema.alterTable('merchants').addColumn('motto', 'text').execute(),
    }
    Object.assign(MIGRATIONS, { '9999-next': () => next })
    const newer = await openDatabase(target).finally(() =>
      Reflect.deleteProperty(MIGRATIONS, '9999-next'),
    )
    const read = () =>
      sql<object>`select id, motto from merchants where id = ${merchantId}`.execute(newer.db)
    expect((await read()).rows).toEqual([{ id: merchantId, motto: null }])
    const refusal = await openDatabase(target).catch((error) => error)
    expect(refusal).toBeInstanceOf(NewerSchemaError)
    expect(refusal.message).toContain('9999-next')
    expect((await read()).rows).toHaveLength(1)
    await newer.close()
    await remove()
  })

  test('data of the first tables get the columns of later versions and keep their rows', async () => {
    const { target, remove } = await open()
    const older = await openDatabase(target)
    const merchantId = await newMerchant(older.db)
    const dialect = target.startsWith('postgres') ? 'postgres' : 'sqlite'
    for (const [name, migration] of Object.entries(MIGRATIONS).slice(1).reverse()) {
      await migration(dialect).down?.(older.db)
      await sql`delete from kysely_migration where name = ${name}`.execute(older.db)
    }
    // Builds before the first release counted rows in such a table.
    await sql`create table transactions_counts (merchant_id bigint, count bigint)`.execute(older.db)
    await insertTransaction(older.db, transactionRow(merchantId))
    await older.close()
    const newer = await openDatabase(target)
    expect(await findMerchant(newer.db, merchantId)).toMatchObject({
      secret: 'a secret',
      previous_secret: null,
    })
    await newer.db.selectFrom('webhook_bodies').select('traceparent').execute()
    expect(await tablesOf(newer.db)).not.toContain('transactions_counts')
    const counted = sql`select count from row_counts where table_name = 'transactions' and merchant_id = ${merchantId}`
    expect((await counted.execute(newer.db)).rows).toEqual([{ count: 1 }])
    await newer.close()
    await remove()
  })

  test('two gateways can open the same new database simultaneously', async () => {
    const { target, remove } = await open()
    const databases = await Promise.all([
      openDatabase(target),
      openDatabase(target),
      openDatabase(target),
    ])
    for (const { db } of databases)
      expect(await tablesOf(db)).toEqual(expect.arrayContaining(TABLES))
    for (const database of databases) await database.close()
    await remove()
  })
})
