import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { identified } from './tables.ts'

/** What is sent to merchants' webhooks, what came of it, and what the dashboard tells of it. */
export const webhookDeliveries = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const withId = (name: string) => identified(db.schema.createTable(name), dialect)
    // Comes along with every login, so that a payment need not ask for it.
    await db.schema
      .alterTable('merchants')
      .addColumn('webhook_overrides', 'text', (c) => c.notNull().defaultTo('{}'))
      .execute()

    await withId('webhook_deliveries')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('event_id', 'text', (c) => c.notNull())
      .addColumn('message_id', 'text', (c) => c.notNull())
      .addColumn('transaction_id', 'bigint')
      .addColumn('webhook_id', 'bigint')
      .addColumn('template', 'text')
      .addColumn('type', 'text', (c) => c.notNull())
      .addColumn('trigger', 'text', (c) => c.notNull())
      .addColumn('url', 'text')
      .addColumn('http_method', 'text')
      .addColumn('data_format', 'text')
      .addColumn('email', 'text')
      .addColumn('host', 'text', (c) => c.notNull())
      .addColumn('body', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('attempts', 'integer', (c) => c.notNull())
      .addColumn('calls', 'integer', (c) => c.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('again_from', 'text')
      .addColumn('again_due_at', 'bigint')
      .addColumn('lease_until', 'bigint')
      .addColumn('lease_owner', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('webhook_attempts')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull())
      .addColumn('delivery_id', 'bigint', (c) => c.notNull().references('webhook_deliveries.id'))
      .addColumn('number', 'integer', (c) => c.notNull())
      .addColumn('manual', 'integer', (c) => c.notNull())
      .addColumn('outcome', 'text', (c) => c.notNull())
      .addColumn('request_body', 'text')
      .addColumn('response', 'text', (c) => c.notNull())
      .addColumn('duration', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('notifications')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('kind', 'text', (c) => c.notNull())
      .addColumn('delivery_id', 'bigint', (c) => c.notNull())
      .addColumn('transaction_id', 'bigint')
      .addColumn('message', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .execute()

    for (const statement of INDEXES) await sql.raw(statement).execute(db)
  },

  async down(db: Kysely<unknown>) {
    for (const table of ['notifications', 'webhook_attempts', 'webhook_deliveries'])
      await db.schema.dropTable(table).execute()
    await db.schema.alterTable('merchants').dropColumn('webhook_overrides').execute()
  },
})

const INDEXES = [
  // However many are done, what is due is found among those that are not.
  `create index webhook_deliveries_due on webhook_deliveries (due_at, id) where status = 'pending'`,
  `create index webhook_deliveries_due_of_merchant on webhook_deliveries (merchant_id, due_at, id)
    where status = 'pending'`,
  // Many wait for a host that is being called as often as it may be: the others are found without looking at those.
  `create index webhook_deliveries_due_of_host on webhook_deliveries (host, due_at, id) where status = 'pending'`,
  `create index webhook_deliveries_untried on webhook_deliveries (transaction_id, id)
    where status = 'pending' and attempts = 0`,
  'create index webhook_deliveries_of_merchant on webhook_deliveries (merchant_id, status, id)',
  'create index webhook_deliveries_of_transaction on webhook_deliveries (transaction_id)',
  'create index webhook_attempts_of_delivery on webhook_attempts (delivery_id)',
  'create index notifications_of_merchant on notifications (merchant_id, id)',
]
