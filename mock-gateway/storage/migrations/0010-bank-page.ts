import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Which page of the bank a payer looks at. */
export const bankPage = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('authentications').addColumn('page', 'text').execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('authentications').dropColumn('page').execute()
  },
})
