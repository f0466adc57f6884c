import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { ID, run } from './tables.ts'

/** Tables whose rows a snapshot copies. */
const COPIED = [
  'requests',
  'clock_moves',
  'mails',
  'notifications',
  'return_failures',
  'webhook_attempts',
  'webhook_bodies',
  'webhook_deliveries',
  'next_authentications',
  'next_outcomes',
  'faults',
  'authentications',
  'subscription_charges',
  'subscriptions',
  'plans',
  'webhooks',
  'refunds',
  'captures',
  'pending_captures',
  'log_events',
  'transactions',
  'payment_links',
  'stored_cards',
  'customers',
]

/**
 * Snapshots, and for each copied table a second one with the rows of snapshots. A later
 * migration that adds a column to a copied table adds it to `snapshot_<table>` too.
 */
export const snapshots = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await run(db, [
      // Rows of merchant 0 are snapshots of all merchants.
      `create table snapshots (
        ${ID[dialect]},
        merchant_id bigint not null,
        name text not null,
        clocks text not null,
        seeds text not null,
        newest_ids text not null,
        payments integer not null,
        saved_at bigint not null,
        constraint snapshots_name unique (merchant_id, name))`,
    ])
    for (const table of COPIED)
      await run(db, [
        `create table snapshot_${table} (snapshot_id bigint not null, ${await columnsOf(db, dialect, table)})`,
        `create unique index snapshot_${table}_key on snapshot_${table} (snapshot_id, id)`,
      ])
    await deferReferences(db, dialect, 'deferrable')
  },

  async down(db: Kysely<unknown>) {
    await deferReferences(db, dialect, 'not deferrable')
    await run(
      db,
      [...COPIED.map((table) => `snapshot_${table}`), 'snapshots'].map(
        (table) => `drop table ${table}`,
      ),
    )
  },
})

/** SQLite keeps values as they are in columns without a type; an id needs one to be found. */
async function columnsOf(db: Kysely<unknown>, dialect: Dialect, table: string): Promise<string> {
  if (dialect === 'postgres') return `like ${table}`
  const { rows } = await sql<{
    name: string
  }>`select name from pragma_table_info(${table})`.execute(db)
  return rows.map(({ name }) => (name === 'id' ? 'id integer' : `"${name}"`)).join(', ')
}

/**
 * A restore replaces rows that others refer to. SQLite has one setting for that; on PostgreSQL each
 * foreign key must be changed.
 */
async function deferReferences(
  db: Kysely<unknown>,
  dialect: Dialect,
  mode: 'deferrable' | 'not deferrable',
): Promise<void> {
  if (dialect === 'sqlite') return
  const { rows } = await sql<{ name: string; table: string }>`
    select conname as name, conrelid::regclass::text as table from pg_constraint
    where contype = 'f' and connamespace = current_schema()::regnamespace`.execute(db)
  await run(
    db,
    rows.map(({ name, table }) => `alter table ${table} alter constraint ${name} ${mode}`),
  )
}
