import type { Kysely } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { identified } from './tables.ts'

/** Mails that were composed: without an SMTP server this is where they end. */
export const mails = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await identified(db.schema.createTable('mails'), dialect)
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('delivery_id', 'bigint', (c) => c.notNull().references('webhook_deliveries.id'))
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('sender', 'text', (c) => c.notNull())
      .addColumn('recipient', 'text', (c) => c.notNull())
      .addColumn('subject', 'text', (c) => c.notNull())
      .addColumn('text', 'text', (c) => c.notNull())
      .addColumn('html', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()
    await db.schema.createIndex('mails_of_merchant').on('mails').columns(['merchant_id', 'id']).execute()
  },

  async down(db: Kysely<unknown>) {
    await db.schema.dropTable('mails').execute()
  },
})
