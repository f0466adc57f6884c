import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { identified } from './tables.ts'

/** What tests have set for payments and requests to come. */
export const orderedByTests = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await identified(db.schema.createTable('next_outcomes'), dialect)
      .addColumn('merchant_id', 'bigint')
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('times', 'integer', (c) => c.notNull())
      .execute()
    await identified(db.schema.createTable('faults'), dialect)
      .addColumn('merchant_id', 'bigint')
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('milliseconds', 'integer', (c) => c.notNull())
      .addColumn('method', 'text')
      .addColumn('path', 'text')
      .addColumn('times', 'integer')
      .addColumn('probability', 'double precision', (c) => c.notNull())
      .addColumn('seed', 'text', (c) => c.notNull())
      .addColumn('struck', 'integer', (c) => c.notNull())
      .addColumn('drawn', 'integer', (c) => c.notNull())
      .execute()
  },

  async down(db: Kysely<unknown>) {
    for (const name of ['next_outcomes', 'faults']) await db.schema.dropTable(name).execute()
  },
})
