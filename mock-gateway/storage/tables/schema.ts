import type { Kysely } from 'kysely'
import type { ResourceFields } from '../../domain/listing.ts'
import { authenticationColumns, nextAuthenticationColumns } from './authentications.ts'
import { clockColumns, clockMoveColumns } from './clocks.ts'
import type { StoredTable, TableCodec } from './codec.ts'
import { type Column, type Columns, createCodec, type TableOf } from './columns.ts'
import { customerColumns } from './customers.ts'
import { consoleSessionColumns, loginFailureColumns } from './logins.ts'
import { type MerchantTable, merchantCodec, merchantColumns } from './merchants.ts'
import { mailColumns, notificationColumns } from './notifications.ts'
import { paymentLinkColumns } from './payment-links.ts'
import {
  captureColumns,
  logEventColumns,
  pendingCaptureColumns,
  refundColumns,
  returnFailureColumns,
} from './payment-parts.ts'
import { requestColumns } from './requests.ts'
import { faultColumns, nextOutcomeColumns, seedColumns } from './sandbox.ts'
import { snapshotColumns } from './snapshots.ts'
import { storedCardColumns } from './stored-cards.ts'
import { planColumns, subscriptionChargeColumns, subscriptionColumns } from './subscriptions.ts'
import { templateColumns } from './templates.ts'
import { transactionColumns } from './transactions.ts'
import { webhookAttemptColumns } from './webhook-attempts.ts'
import { webhookBodyColumns, webhookDeliveryColumns } from './webhook-deliveries.ts'
import { webhookColumns } from './webhooks.ts'

/** The columns of each table. A table is created after those that it refers to. */
export const COLUMNS = {
  merchants: merchantColumns,
  login_failures: loginFailureColumns,
  console_sessions: consoleSessionColumns,
  templates: templateColumns,
  customers: customerColumns,
  stored_cards: storedCardColumns,
  transactions: transactionColumns,
  log_events: logEventColumns,
  captures: captureColumns,
  pending_captures: pendingCaptureColumns,
  refunds: refundColumns,
  payment_links: paymentLinkColumns,
  webhooks: webhookColumns,
  plans: planColumns,
  subscriptions: subscriptionColumns,
  subscription_charges: subscriptionChargeColumns,
  webhook_deliveries: webhookDeliveryColumns,
  webhook_bodies: webhookBodyColumns,
  webhook_attempts: webhookAttemptColumns,
  notifications: notificationColumns,
  mails: mailColumns,
  authentications: authenticationColumns,
  clocks: clockColumns,
  clock_moves: clockMoveColumns,
  next_outcomes: nextOutcomeColumns,
  next_authentications: nextAuthenticationColumns,
  faults: faultColumns,
  requests: requestColumns,
  return_failures: returnFailureColumns,
  seeds: seedColumns,
  snapshots: snapshotColumns,
} as const satisfies Record<string, Columns>

type DescribedTables = { [Name in keyof typeof COLUMNS]: TableOf<(typeof COLUMNS)[Name]> }

/**
 * The tables as the use cases see them: money is integer hundredths, times are epoch milliseconds
 * UTC. SQLite and PostgreSQL hold them alike: flags as 0 or 1, objects and lists as JSON text.
 */
export interface Tables extends Omit<DescribedTables, 'merchants'> {
  merchants: MerchantTable
}

/** Tables that lists are made of: each has id and merchant_id. */
export const LISTED_TABLES = [
  'transactions',
  'stored_cards',
  'customers',
  'refunds',
  'webhooks',
  'plans',
  'subscriptions',
] as const

export type ListedTable = (typeof LISTED_TABLES)[number]

/** Fields to filter and order each list by, in alphabetical order. */
export const LISTED_FIELDS = Object.fromEntries(
  LISTED_TABLES.map((table) => [
    table,
    Object.fromEntries(
      Object.entries<Column<unknown, boolean>>(COLUMNS[table])
        .flatMap(([name, { listedAs }]) => (listedAs ? [[name, listedAs] as const] : []))
        .sort(([one], [other]) => (one < other ? -1 : 1)),
    ),
  ]),
) as Readonly<Record<ListedTable, ResourceFields>>

/** The tables as the databases hold them. */
export type StoredTables = { [Name in keyof Tables]: StoredTable<Tables[Name]> }

/** Tables whose rows have an id of their own. */
export type NumberedTable = Exclude<
  keyof Tables,
  'login_failures' | 'console_sessions' | 'clocks' | 'seeds' | 'templates'
>

/** The codecs of each table. The settings of a merchant are completed when they are read. */
export const CODECS = {
  ...Object.fromEntries(
    Object.entries(COLUMNS).map(([name, columns]) => [name, createCodec(columns)]),
  ),
  merchants: merchantCodec,
} as { readonly [Name in keyof Tables]: TableCodec<Tables[Name]> }

export type { Dialect } from './columns.ts'

/** The database itself, or a transaction in it. */
export type Queries = Kysely<StoredTables>
