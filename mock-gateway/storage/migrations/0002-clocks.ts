import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Clocks that somebody has moved. */
export const clocks = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('clocks')
      // 0 is no merchant's id: the clock of all those who have none of their own.
      .addColumn('merchant_id', 'bigint', (c) => c.primaryKey().notNull())
      .addColumn('frozen_at', 'bigint')
      .addColumn('ahead', 'bigint', (c) => c.notNull())
      .addColumn('moving_until', 'bigint')
      .execute()
  },
  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('clocks').execute()
  },
})
