import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../schema.ts'
import { countRows, identified } from './tables.ts'

/** Tables of merchants, transactions and what belongs to them. */
export const firstTables = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    const table = (name: string) => db.schema.createTable(name)
    const withId = (name: string) => identified(table(name), dialect)

    await table('merchants')
      .addColumn('id', 'bigint', (c) => c.primaryKey().notNull())
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('password_hash', 'text', (c) => c.notNull())
      .addColumn('secret', 'text', (c) => c.notNull())
      .addColumn('private_key', 'text')
      .addColumn('public_key', 'text')
      .addColumn('settings', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await table('login_failures')
      .addColumn('username', 'text', (c) => c.primaryKey())
      .addColumn('failures', 'integer', (c) => c.notNull())
      .addColumn('locked_until', 'bigint')
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('customers')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('ref', 'text')
      .addColumn('metadata', 'text')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('stored_cards')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('customer_id', 'bigint')
      .addColumn('token', 'text', (c) => c.notNull())
      .addColumn('card_holder', 'text', (c) => c.notNull())
      .addColumn('card_number', 'text', (c) => c.notNull())
      .addColumn('card_expiry', 'text', (c) => c.notNull())
      .addColumn('card_type', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('expires', 'bigint', (c) => c.notNull())
      .addColumn('ref', 'text')
      .addColumn('test', 'integer', (c) => c.notNull())
      .addColumn('recurring', 'integer', (c) => c.notNull())
      .addColumn('transaction_id', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('transactions')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('amount', 'bigint')
      .addColumn('amount_text', 'text', (c) => c.notNull())
      .addColumn('vat_amount', 'bigint')
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('payment_ref', 'text', (c) => c.notNull())
      .addColumn('customer_ref', 'text')
      .addColumn('customer_id', 'bigint')
      .addColumn('stored_card_id', 'bigint')
      .addColumn('subscription_id', 'bigint')
      .addColumn('template_id', 'bigint')
      .addColumn('card_holder', 'text')
      .addColumn('card_number', 'text')
      .addColumn('card_expiry', 'text')
      .addColumn('card_type', 'text')
      .addColumn('test', 'integer', (c) => c.notNull())
      .addColumn('authorize', 'integer', (c) => c.notNull())
      .addColumn('store_card', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('status_details', 'text')
      .addColumn('error_name', 'text')
      .addColumn('error_message', 'text')
      .addColumn('transaction_type', 'text')
      .addColumn('payment_method', 'text', (c) => c.notNull())
      .addColumn('success_url', 'text')
      .addColumn('error_url', 'text')
      .addColumn('href_token', 'text', (c) => c.notNull())
      .addColumn('attempt', 'text')
      .addColumn('mpi_ref', 'text')
      .addColumn('provider_ref', 'text')
      .addColumn('request_hash', 'text')
      .addColumn('org_auth_amount', 'bigint')
      .addColumn('metadata', 'text')
      .addColumn('items', 'text')
      .addColumn('payment_details', 'text')
      .addColumn('payment_request', 'text', (c) => c.notNull())
      .addColumn('payment_response', 'text')
      .addColumn('client', 'text', (c) => c.notNull())
      .addColumn('processed_at', 'bigint')
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .addColumn('version', 'integer', (c) => c.notNull().defaultTo(1))
      .execute()

    for (const [name, ofMerchant] of [
      ['log_events', false],
      ['captures', true],
      ['refunds', true],
      ['webhooks', true],
    ] as const) {
      let builder = withId(name).addColumn('transaction_id', 'bigint', (c) => c.notNull().references('transactions.id'))
      if (ofMerchant) builder = builder.addColumn('merchant_id', 'bigint', (c) => c.notNull())
      for (const [column, type, required] of PARTS[name])
        builder = builder.addColumn(column, type, (c) => (required ? c.notNull() : c))
      await builder.addColumn('created_at', 'bigint', (c) => c.notNull()).execute()
      await db.schema.createIndex(`${name}_of_transaction`).on(name).column('transaction_id').execute()
    }

    await table('row_counts')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull())
      .addColumn('resource', 'text', (c) => c.notNull())
      .addColumn('count', 'bigint', (c) => c.notNull())
      .addPrimaryKeyConstraint('row_counts_key', ['merchant_id', 'resource'])
      .execute()

    for (const [name, table, columns] of INDEXES)
      await db.schema
        .createIndex(name)
        .on(table)
        .columns([...columns])
        .execute()
    for (const [name, table, columns, where] of UNIQUE_INDEXES) {
      const condition = where ? sql` where ${sql.raw(where)}` : sql``
      await sql`create unique index ${sql.ref(name)} on ${sql.table(table)} (${sql.raw(columns.join(', '))})${condition}`.execute(
        db,
      )
    }
    for (const name of COUNTED) await countRows(db, dialect, name)
  },

  async down(db: Kysely<unknown>) {
    const all = [
      'row_counts',
      'webhooks',
      'refunds',
      'captures',
      'log_events',
      'transactions',
      'stored_cards',
      'customers',
    ]
    for (const name of [...all, 'login_failures', 'merchants']) await db.schema.dropTable(name).execute()
    if (dialect === 'postgres') await sql`drop function count_row()`.execute(db)
  },
})

/** Columns of the tables that belong to a transaction: name, type, required. */
const PARTS = {
  log_events: [
    ['event_type', 'text', true],
    ['data', 'text', true],
  ],
  captures: [['amount', 'bigint', true]],
  refunds: [
    ['amount', 'bigint', true],
    ['reason', 'text', true],
    ['ref', 'text', false],
  ],
  webhooks: [
    ['type', 'text', true],
    ['trigger', 'text', true],
    ['url', 'text', false],
    ['http_method', 'text', false],
    ['data_format', 'text', false],
    ['email', 'text', false],
    ['response', 'text', false],
    ['request_body', 'text', false],
  ],
} as const

const INDEXES = [
  ['transactions_of_merchant', 'transactions', ['merchant_id', 'id']],
  ['transactions_by_payment_ref', 'transactions', ['merchant_id', 'payment_ref']],
  ['transactions_of_customer', 'transactions', ['customer_id']],
  ['stored_cards_of_merchant', 'stored_cards', ['merchant_id', 'id']],
  ['stored_cards_of_customer', 'stored_cards', ['customer_id']],
  ['customers_of_merchant', 'customers', ['merchant_id', 'id']],
] as const

const UNIQUE_INDEXES: readonly (readonly [string, string, readonly string[], string?])[] = [
  // A declined or failed payment leaves its payment_ref free for the next try (our decision, design 5).
  ['transactions_payment_ref', 'transactions', ['merchant_id', 'payment_ref'], `status not in ('declined', 'failed')`],
  ['transactions_href_token', 'transactions', ['href_token']],
  ['transactions_attempt', 'transactions', ['merchant_id', 'attempt'], 'attempt is not null'],
  ['customers_ref', 'customers', ['merchant_id', 'ref'], 'ref is not null'],
  ['stored_cards_token', 'stored_cards', ['token']],
]

const COUNTED = ['transactions', 'stored_cards', 'customers', 'refunds', 'webhooks'] as const
