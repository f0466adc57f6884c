import { sql } from 'kysely'
import type { Tables } from './tables/schema.ts'

/** Whose data a table holds: its rows name their merchant, or a row of this table that does. */
export type DataOwner = 'merchant_id' | { readonly of: keyof Tables; readonly by: string }

/**
 * Tables that a reset keeps, or empties separately: accounts and their sessions, clocks, and locks
 * of logins.
 */
type PreservedTable =
  | 'merchants'
  | 'templates'
  | 'console_sessions'
  | 'clocks'
  | 'login_failures'
  | 'seeds'

/**
 * The tables with merchants' data, each before those that its rows refer to. Merchants and their
 * templates are accounts, not data; a table that is not named here does not compile.
 */
export const DATA_TABLES: Readonly<Record<Exclude<keyof Tables, PreservedTable>, DataOwner>> = {
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

/** The condition that a row of a table belongs to a merchant. */
export const ownedBy = (merchantId: number, owner: DataOwner) =>
  owner === 'merchant_id'
    ? sql`where merchant_id = ${merchantId}`
    : sql`where ${sql.ref(owner.by)} in (select id from ${sql.table(owner.of)} where merchant_id = ${merchantId})`
