import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { type Counted, dropCounts, keepCounts } from './counted.ts'
import { identified } from './tables.ts'

/** Every table of the first release. */
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
      .addColumn('plan_id', 'bigint')
      .addColumn('start_date', 'bigint')
      .addColumn('subscription_quantity', 'integer')
      .addColumn('subscription_items', 'text')
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

    await withId('plans')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('name', 'text', (c) => c.notNull())
      .addColumn('description', 'text', (c) => c.notNull())
      .addColumn('interval', 'integer', (c) => c.notNull())
      .addColumn('interval_unit', 'text', (c) => c.notNull())
      .addColumn('prices', 'text', (c) => c.notNull())
      .addColumn('setup_fees', 'text', (c) => c.notNull())
      .addColumn('periods', 'integer', (c) => c.notNull())
      .addColumn('trial_length', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    await withId('subscriptions')
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('plan_id', 'bigint', (c) => c.notNull().references('plans.id'))
      .addColumn('customer_id', 'bigint')
      .addColumn('stored_card_id', 'bigint', (c) => c.notNull().references('stored_cards.id'))
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('price', 'bigint', (c) => c.notNull())
      .addColumn('quantity', 'integer', (c) => c.notNull())
      .addColumn('items', 'text', (c) => c.notNull())
      .addColumn('debt', 'bigint', (c) => c.notNull())
      .addColumn('interval', 'integer', (c) => c.notNull())
      .addColumn('interval_unit', 'text', (c) => c.notNull())
      .addColumn('total_periods', 'integer', (c) => c.notNull())
      .addColumn('period_count', 'integer', (c) => c.notNull())
      .addColumn('retry_count', 'integer', (c) => c.notNull())
      .addColumn('start_date', 'bigint', (c) => c.notNull())
      .addColumn('anchor_at', 'bigint', (c) => c.notNull())
      .addColumn('next_at', 'bigint', (c) => c.notNull())
      .addColumn('metadata', 'text')
      .addColumn('test', 'integer', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()

    for (const [name, table, columns, { unique = false, where } = {}] of INDEXES)
      await sql`create ${sql.raw(unique ? 'unique index' : 'index')} ${sql.ref(name)}
        on ${sql.table(table)} (${sql.raw(columns.join(', '))}) ${sql.raw(where ? `where ${where}` : '')}`.execute(db)
    for (const counted of COUNTED) await keepCounts(db, dialect, counted)
  },

  async down(db: Kysely<unknown>) {
    for (const { table } of COUNTED) await dropCounts(db, dialect, table)
    for (const name of TABLES.toReversed()) await db.schema.dropTable(name).execute()
  },
})

/** In the order in which they are made: each refers to earlier ones only. */
const TABLES = [
  'merchants',
  'login_failures',
  'customers',
  'stored_cards',
  'transactions',
  'log_events',
  'captures',
  'refunds',
  'webhooks',
  'plans',
  'subscriptions',
]

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

interface Conditions {
  readonly unique?: true
  /** Only rows that meet it are in the index. */
  readonly where?: string
}

const INDEXES: readonly (readonly [name: string, table: string, columns: readonly string[], Conditions?])[] = [
  ['transactions_of_merchant', 'transactions', ['merchant_id', 'id']],
  ['transactions_by_status', 'transactions', ['merchant_id', 'status', 'id']],
  ['transactions_by_payment_ref', 'transactions', ['merchant_id', 'payment_ref']],
  ['transactions_of_customer', 'transactions', ['customer_id']],
  // Few transactions belong to a subscription; the others need no entry.
  ['transactions_of_subscription', 'transactions', ['subscription_id'], { where: 'subscription_id is not null' }],
  [
    'transactions_payment_ref',
    'transactions',
    ['merchant_id', 'payment_ref'],
    // Of one order one transaction is paid; any number of unpaid ones may carry its payment_ref (decision 12).
    { unique: true, where: `status in ('3ds pending', 'authorized', 'capture pending', 'approved')` },
  ],
  ['transactions_href_token', 'transactions', ['href_token'], { unique: true }],
  ['transactions_attempt', 'transactions', ['merchant_id', 'attempt'], { unique: true, where: 'attempt is not null' }],
  ['stored_cards_of_merchant', 'stored_cards', ['merchant_id', 'id']],
  ['stored_cards_of_customer', 'stored_cards', ['customer_id']],
  ['stored_cards_token', 'stored_cards', ['token'], { unique: true }],
  ['customers_of_merchant', 'customers', ['merchant_id', 'id']],
  ['customers_ref', 'customers', ['merchant_id', 'ref'], { unique: true, where: 'ref is not null' }],
  ['plans_of_merchant', 'plans', ['merchant_id', 'id']],
  ['subscriptions_of_merchant', 'subscriptions', ['merchant_id', 'id']],
  ['subscriptions_of_customer', 'subscriptions', ['customer_id']],
]

/** By values of which there are few, so that the total of a filtered list is read and not counted. */
export const COUNTED: readonly Counted[] = [
  { table: 'transactions', by: ['status', 'test', 'currency', 'card_type', 'transaction_type'] },
  { table: 'stored_cards', by: ['status', 'test', 'currency', 'card_type'] },
  { table: 'customers', by: [] },
  { table: 'refunds', by: [] },
  { table: 'webhooks', by: ['type'] },
  { table: 'plans', by: ['status', 'interval_unit'] },
  { table: 'subscriptions', by: ['status'] },
]
