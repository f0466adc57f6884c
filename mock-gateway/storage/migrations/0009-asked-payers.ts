import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Payers who are asked elsewhere, in an app or at a bank, have until a moment to answer. */
export const askedPayers = (): Migration => ({
  async up(db: Kysely<unknown>) {
    await db.schema.alterTable('transactions').addColumn('answer_by', 'bigint').execute()
    // What falls due: few payers are being asked.
    await sql`create index transactions_asked on transactions (answer_by, merchant_id)
      where status = 'pending' and answer_by is not null`.execute(db)
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('transactions_asked').execute()
    await db.schema.alterTable('transactions').dropColumn('answer_by').execute()
  },
})
