import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Who is logged in to the console. Of a token there is only a digest, as there is of what proved its owner. */
export const consoleSessions = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .createTable('console_sessions')
      .addColumn('token_hash', 'text', (c) => c.primaryKey())
      .addColumn('merchant_id', 'bigint', (c) => c.references('merchants.id'))
      .addColumn('proof', 'text', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('console_sessions').execute()
  },
})
