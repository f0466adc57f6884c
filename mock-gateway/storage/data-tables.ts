import { sql } from 'kysely'
import type { Queries, Tables } from './tables/schema.ts'

/** The owner of a table's data: its rows name their merchant, or a row of this table that does. */
type DataOwner = 'merchant_id' | { readonly of: keyof Tables; readonly by: string }

/** The tables without merchants' data, which no snapshot copies, and why. */
export const OTHER_TABLES = {
  merchants: 'Accounts: names, passwords, secrets, keys and settings stay as they are.',
  templates: 'Page templates and mail templates are settings of accounts.',
  console_sessions: 'Logins to the console.',
  login_failures: 'Locks of logins.',
  clocks: 'The row of a snapshot contains its clocks.',
  seeds: 'The row of a snapshot contains its random seeds.',
  snapshots: 'The snapshots.',
} as const satisfies Partial<Record<keyof Tables, string>>

/** A table with merchants' data. */
export type DataTable = Exclude<keyof Tables, keyof typeof OTHER_TABLES>

/**
 * The tables with merchants' data, each before those that its rows refer to. A reset empties them,
 * and a snapshot copies them. A table that is neither here nor in `OTHER_TABLES` does not compile.
 */
const DATA_TABLES: Readonly<Record<DataTable, DataOwner>> = {
  requests: 'merchant_id',
  clock_moves: 'merchant_id',
  mails: 'merchant_id',
  notifications: 'merchant_id',
  return_failures: 'merchant_id',
  webhook_attempts: 'merchant_id',
  webhook_bodies: { of: 'webhook_deliveries', by: 'id' },
  webhook_deliveries: 'merchant_id',
  next_authentications: 'merchant_id',
  next_outcomes: 'merchant_id',
  faults: 'merchant_id',
  authentications: 'merchant_id',
  subscription_charges: { of: 'subscriptions', by: 'subscription_id' },
  subscriptions: 'merchant_id',
  plans: 'merchant_id',
  webhooks: 'merchant_id',
  refunds: 'merchant_id',
  captures: 'merchant_id',
  pending_captures: 'merchant_id',
  log_events: { of: 'transactions', by: 'transaction_id' },
  transactions: 'merchant_id',
  payment_links: 'merchant_id',
  stored_cards: 'merchant_id',
  customers: 'merchant_id',
}

/** Returns the condition for the rows of a merchant; undefined: of all merchants. */
export const isOwnedBy = (table: DataTable, merchantId: number | undefined) => {
  const owner = DATA_TABLES[table]
  if (merchantId === undefined) return sql`true`
  return owner === 'merchant_id'
    ? sql`merchant_id = ${merchantId}`
    : sql`${sql.ref(owner.by)} in (
        select id from ${sql.table(owner.of)} where merchant_id = ${merchantId})`
}

/** Names of the data tables, each before those that its rows refer to. */
export const dataTables = Object.keys(DATA_TABLES) as readonly DataTable[]

/**
 * Waits for running writes, and locks the data tables until the end of the database transaction.
 * Without this, a row that they insert keeps its id while ids start again. Each table is locked
 * after those that it refers to, as a payment does.
 */
export async function lockDataTables(queries: Queries): Promise<void> {
  const tables = dataTables.toReversed().map((table) => sql.table(table))
  await sql`lock table ${sql.join(tables)} in access exclusive mode`.execute(queries)
}
