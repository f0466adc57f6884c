import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Merchants' own pages, mails and parts of them. Those of nobody are for every merchant, so no merchant is referred to. */
export const templates = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('templates')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull())
      .addColumn('id', 'bigint', (c) => c.notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('source', 'text', (c) => c.notNull())
      .addColumn('prepared', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('templates_key', ['merchant_id', 'id'])
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('templates').execute()
  },
})
