import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../schema.ts'
import { countRows, identified } from './tables.ts'

/** Plans, subscriptions, and what a transaction orders of a plan until it is paid. */
export const plansAndSubscriptions = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const withId = (name: string) => identified(db.schema.createTable(name), dialect)

    await withId('plans')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('interval', 'integer', (c) => c.notNull())
      .addColumn('interval_unit', 'text', (c) => c.notNull())
      .addColumn('prices', 'text', (c) => c.notNull())
      .addColumn('setup_fees', 'text', (c) => c.notNull())
      .addColumn('periods', 'integer', (c) => c.notNull())
      .addColumn('trial_length', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('subscriptions')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('plan_id', 'bigint', (c) => c.notNull().references('plans.id'))
      .addColumn('customer_id', 'bigint')
      .addColumn('stored_card_id', 'bigint', (c) => c.notNull().references('stored_cards.id'))
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('price', 'bigint', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull())
      .addColumn('items', 'text', (c) => c.notNull())
      .addColumn('debt', 'bigint', (c) => c.notNull())
      .addColumn('interval', 'integer', (c) => c.notNull())
      .addColumn('interval_unit', 'text', (c) => c.notNull())
      .addColumn('total_periods', 'integer', (c) => c.notNull())
      .addColumn('period_count', 'integer', (c) => c.notNull())
      .addColumn('retry_count', 'integer', (c) => c.notNull())
      .addColumn('start_date', 'bigint', (c) => c.notNull())
      .addColumn('anchor_at', 'bigint', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addColumn('metadata', 'text')
      .addColumn('test', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    for (const [name, type] of ORDER_COLUMNS) await db.schema.alterTable('transactions').addColumn(name, type).execute()
    for (const [name, table, columns] of INDEXES)
      await db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
        .execute()
    // Few transactions belong to a subscription; the others need no entry.
    await sql`create index transactions_of_subscription on transactions (subscription_id)
      where subscription_id is not null`.execute(db)
    for (const name of ['plans', 'subscriptions']) await countRows(db, dialect, name)
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('transactions_of_subscription').execute()
    for (const [name] of ORDER_COLUMNS) await db.schema.alterTable('transactions').dropColumn(name).execute()
    for (const name of ['subscriptions', 'plans']) {
      await db.schema.dropTable(name).execute()
      await sql`delete from row_counts where resource = ${name}`.execute(db)
    }
  },
})

const ORDER_COLUMNS = [
  ['plan_id', 'bigint'],
  ['start_date', 'bigint'],
  ['subscription_quantity', 'integer'],
  ['subscription_items', 'text'],
] as const

const INDEXES = [
  ['plans_of_merchant', 'plans', ['merchant_id', 'id']],
  ['subscriptions_of_merchant', 'subscriptions', ['merchant_id', 'id']],
  ['subscriptions_of_customer', 'subscriptions', ['customer_id']],
] as const
