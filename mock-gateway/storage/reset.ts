import { sql } from 'kysely'
import type { Database } from './database.ts'
import { unlockLogins } from './login-failures.ts'
import type { Queries, Tables } from './tables/schema.ts'

/** Whose data a table holds: its rows name their merchant, or a row of this table that does. */
type DataOwner = 'merchant_id' | { readonly of: keyof Tables; readonly by: string }

/**
 * What a reset leaves, or forgets otherwise: accounts and who is logged in to them, the clocks, and
 * what locks logins.
 */
type PreservedTable = 'merchants' | 'templates' | 'console_sessions' | 'clocks' | 'login_failures'

/**
 * The tables that are emptied, each before those that its rows refer to. Merchants and their
 * templates are accounts, not data; a table that is not named here does not compile.
 */
const EMPTIED: Readonly<Record<Exclude<keyof Tables, PreservedTable>, DataOwner>> = {
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

/**
 * Forgets all that merchants have done, or one of them; merchants and their keys stay. Once all is
 * forgotten, ids begin with 1 again.
 */
export async function resetData(database: Database, merchantId?: number): Promise<void> {
  await database.write(async (queries) => {
    if (merchantId === undefined && database.dialect === 'postgres') await lockTables(queries)
    for (const [table, owner] of Object.entries(EMPTIED))
      await sql`delete from ${sql.table(table)} ${merchantId === undefined ? sql`` : ownedBy(merchantId, owner)}`.execute(
        queries,
      )
    if (merchantId !== undefined) return unlockLogins(queries, String(merchantId))
    await queries.deleteFrom('login_failures').execute()
    await beginIdsAnew(queries, database.dialect)
  })
}

const ownedBy = (merchantId: number, owner: DataOwner) =>
  owner === 'merchant_id'
    ? sql`where merchant_id = ${merchantId}`
    : sql`where ${sql.ref(owner.by)} in (select id from ${sql.table(owner.of)} where merchant_id = ${merchantId})`

/**
 * Waits for running writes. Without this, a row that they insert keeps its old id while new ids
 * begin with 1.
 */
async function lockTables(queries: Queries): Promise<void> {
  const tables = Object.keys(EMPTIED).map((table) => sql.table(table))
  await sql`lock table ${sql.join(tables)} in access exclusive mode`.execute(queries)
}

async function beginIdsAnew(queries: Queries, dialect: Database['dialect']): Promise<void> {
  if (dialect === 'sqlite') await sql`delete from sqlite_sequence`.execute(queries)
  else
    for (const table of Object.keys(EMPTIED))
      await sql`alter table ${sql.table(table)} alter column id restart`.execute(queries)
}
