import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** Payment pages come to an end: by time, and by tries. Pages of before have all the time, and all their tries. */
export const paymentPages = (): Migration => ({
  async up(db: Kysely<unknown>) {
    const transactions = () => db.schema.alterTable('transactions')
    await transactions().addColumn('expires_at', 'bigint').execute()
    await transactions()
      .addColumn('tries', 'integer', (c) => c.notNull().defaultTo(0))
      .execute()
    // What falls due: few transactions are pending.
    await sql`create index transactions_expiring on transactions (expires_at, merchant_id)
      where status = 'pending' and expires_at is not null`.execute(db)
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropIndex('transactions_expiring').execute()
    for (const column of ['expires_at', 'tries'])
      await db.schema.alterTable('transactions').dropColumn(column).execute()
  },
})
