import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Whether a payer sent the payment that waits for the bank from the payment page or a form; of those of before nobody did. */
export const sentByForm = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema
      .alterTable('authentications')
      .addColumn('form', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.alterTable('authentications').dropColumn('form').execute()
  },
})
