import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../schema.ts'
import { type Counted, dropCounts, keepCounts } from './counted.ts'
import { countRows } from './tables.ts'

/** Counts by status and the like, so that the total of a filtered list is read and not counted. */
export const countsByValue = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const { table } of COUNTED)
      for (const trigger of dialect === 'sqlite' ? ['counted', 'uncounted'] : ['counted'])
        await sql.raw(`drop trigger ${table}_${trigger}${dialect === 'postgres' ? ` on ${table}` : ''}`).execute(db)
    if (dialect === 'postgres') await sql`drop function count_row()`.execute(db)
    await db.schema.dropTable('row_counts').execute()
    for (const counted of COUNTED) await keepCounts(db, dialect, counted)
    await db.schema
      .createIndex('transactions_by_status')
      .on('transactions')
      .columns(['merchant_id', 'status', 'id'])
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('transactions_by_status').execute()
    await db.schema
      .createTable('row_counts')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull())
      .addColumn('resource', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('row_counts_key', ['merchant_id', 'resource'])
      .execute()
    for (const { table } of COUNTED) {
      await dropCounts(db, dialect, table)
      await countRows(db, dialect, table)
      await sql`insert into row_counts (merchant_id, resource, count)
        select merchant_id, ${sql.lit(table)}, count(*) from ${sql.table(table)} group by merchant_id`.execute(db)
    }
  },
})

/** By values of which there are few. */
const COUNTED: readonly Counted[] = [
  { table: 'transactions', by: ['status', 'test', 'currency', 'card_type', 'transaction_type'] },
  { table: 'stored_cards', by: ['status', 'test', 'currency', 'card_type'] },
  { table: 'customers', by: [] },
  { table: 'refunds', by: [] },
  { table: 'webhooks', by: ['type'] },
  { table: 'plans', by: ['status', 'interval_unit'] },
  { table: 'subscriptions', by: ['status'] },
]
