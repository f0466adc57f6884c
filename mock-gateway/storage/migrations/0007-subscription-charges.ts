import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { identified } from './tables.ts'

/** What charging over time needs: which period is next, how often it was tried, and every charge there was. */
export const subscriptionCharges = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    for (const column of ['period_index', 'attempts'])
      await db.schema
        .alterTable('subscriptions')
        .addColumn(column, 'integer', (c) => c.notNull().defaultTo(0))
        .execute()
    // Nobody was charged before: as many periods are over as are paid.
    await sql`update subscriptions set period_index = period_count`.execute(db)
    await sql`create index subscriptions_due on subscriptions (next_at, id) where status = 'active'`.execute(db)

    await identified(db.schema.createTable('subscription_charges'), dialect)
      .addColumn('subscription_id', 'bigint', (c) => c.notNull().references('subscriptions.id'))
      .addColumn('period_at', 'bigint', (c) => c.notNull())
      .addColumn('attempt', 'integer', (c) => c.notNull())
      .addColumn('amount', 'bigint', (c) => c.notNull())
      .addColumn('transaction_id', 'bigint', (c) => c.references('transactions.id'))
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addUniqueConstraint('subscription_charges_once', ['subscription_id', 'period_at', 'attempt'])
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('subscription_charges').execute()
    await db.schema.dropIndex('subscriptions_due').execute()
    for (const column of ['period_index', 'attempts'])
      await db.schema.alterTable('subscriptions').dropColumn(column).execute()
  },
})
