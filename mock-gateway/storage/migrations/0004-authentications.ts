import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import type { Dialect } from '../tables/schema.ts'
import { identified } from './tables.ts'

/** 3-D Secure: every authentication of a payer, and what tests have set for the next ones. */
export const authentications = (dialect: Dialect): Migration => ({
  async up(db: Kysely<unknown>) {
    await identified(db.schema.createTable('authentications'), dialect)
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('transaction_id', 'bigint', (c) => c.references('transactions.id'))
      .addColumn('ref', 'text', (c) => c.notNull())
      .addColumn('token', 'text', (c) => c.notNull())
      .addColumn('key', 'text', (c) => c.notNull())
      .addColumn('nonce', 'text')
      .addColumn('origin', 'text')
      .addColumn('request_hash', 'text')
      .addColumn('locale', 'text')
      .addColumn('plan', 'text', (c) => c.notNull())
      .addColumn('ids', 'text', (c) => c.notNull())
      .addColumn('brand', 'text', (c) => c.notNull())
      .addColumn('card_number', 'text', (c) => c.notNull())
      .addColumn('payment_ref', 'text', (c) => c.notNull())
      .addColumn('amount_text', 'text', (c) => c.notNull())
      .addColumn('currency', 'text', (c) => c.notNull())
      .addColumn('test', 'integer', (c) => c.notNull())
      .addColumn('provider_ref', 'text', (c) => c.notNull())
      .addColumn('word', 'text')
      .addColumn('storing_fails', 'integer', (c) => c.notNull())
      .addColumn('status', 'text', (c) => c.notNull())
      .addColumn('result', 'text')
      .addColumn('answer', 'text')
      .addColumn('answer_at', 'bigint')
      .addColumn('opened_at', 'bigint')
      .addColumn('wrong_codes', 'integer', (c) => c.notNull())
      .addColumn('new_codes', 'integer', (c) => c.notNull())
      .addColumn('extensions', 'integer', (c) => c.notNull())
      .addColumn('refused_answers', 'integer', (c) => c.notNull())
      .addColumn('expires_at', 'bigint', (c) => c.notNull())
      .addColumn('created_at', 'bigint', (c) => c.notNull())
      .addColumn('updated_at', 'bigint', (c) => c.notNull())
      .execute()
    await identified(db.schema.createTable('next_authentications'), dialect)
      .addColumn('merchant_id', 'bigint', (c) => c.notNull().references('merchants.id'))
      .addColumn('plan', 'text', (c) => c.notNull())
      .execute()
    for (const index of INDEXES) await sql.raw(`create ${index}`).execute(db)
  },

  async down(db: Kysely<unknown>) {
    for (const name of ['authentications', 'next_authentications']) await db.schema.dropTable(name).execute()
  },
})

const INDEXES = [
  'unique index authentications_ref on authentications (ref)',
  'unique index authentications_token on authentications (token)',
  'unique index authentications_nonce on authentications (merchant_id, nonce) where nonce is not null',
  'index authentications_of_transaction on authentications (transaction_id)',
  `index authentications_due on authentications (expires_at, id) where status = 'open'`,
  'index next_authentications_of_merchant on next_authentications (merchant_id, id)',
]
