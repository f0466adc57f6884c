import type { Kysely } from 'kysely'
import {
  type AuthenticationTable,
  authenticationCodec,
  type NextAuthenticationTable,
  nextAuthenticationCodec,
} from './authentications.ts'
import { type CaptureTable, captureCodec } from './captures.ts'
import { type ClockMoveTable, type ClockTable, clockMoveCodec } from './clocks.ts'
import type { StoredTable, TableCodec } from './codec.ts'
import type { ConsoleSessionTable } from './console-sessions.ts'
import { type CustomerTable, customerCodec, customerColumns } from './customers.ts'
import { type FaultTable, faultCodec } from './faults.ts'
import { type LogEventTable, logEventCodec } from './log-events.ts'
import type { LoginFailureTable } from './login-failures.ts'
import { type MailTable, mailCodec } from './mails.ts'
import { type MerchantTable, merchantCodec } from './merchants.ts'
import { type NextOutcomeTable, nextOutcomeCodec } from './next-outcomes.ts'
import { type NotificationTable, notificationCodec } from './notifications.ts'
import { type PaymentLinkTable, paymentLinkCodec, paymentLinkColumns } from './payment-links.ts'
import { type PendingCaptureTable, pendingCaptureCodec } from './pending-captures.ts'
import { type PlanTable, planCodec, planColumns } from './plans.ts'
import { type RefundTable, refundCodec, refundColumns } from './refunds.ts'
import { type RequestTable, requestCodec } from './requests.ts'
import { type ReturnFailureTable, returnFailureCodec } from './return-failures.ts'
import type { SeedTable } from './seeds.ts'
import { type SnapshotTable, snapshotCodec } from './snapshots.ts'
import { type StoredCardTable, storedCardCodec, storedCardColumns } from './stored-cards.ts'
import { type SubscriptionChargeTable, subscriptionChargeCodec } from './subscription-charges.ts'
import { type SubscriptionTable, subscriptionCodec, subscriptionColumns } from './subscriptions.ts'
import type { TemplateTable } from './templates.ts'
import { type TransactionTable, transactionCodec, transactionColumns } from './transactions.ts'
import { type WebhookAttemptTable, webhookAttemptCodec } from './webhook-attempts.ts'
import {
  type WebhookBodyTable,
  type WebhookDeliveryTable,
  webhookBodyCodec,
  webhookDeliveryCodec,
} from './webhook-deliveries.ts'
import { type WebhookTable, webhookCodec } from './webhooks.ts'

/**
 * The tables as the use cases see them: money is integer hundredths, times are epoch milliseconds
 * UTC. SQLite and PostgreSQL hold them alike: flags as 0 or 1, objects and lists as JSON text.
 */
export interface Tables {
  merchants: MerchantTable
  mails: MailTable
  login_failures: LoginFailureTable
  console_sessions: ConsoleSessionTable
  customers: CustomerTable
  stored_cards: StoredCardTable
  transactions: TransactionTable
  log_events: LogEventTable
  captures: CaptureTable
  pending_captures: PendingCaptureTable
  payment_links: PaymentLinkTable
  refunds: RefundTable
  webhooks: WebhookTable
  webhook_deliveries: WebhookDeliveryTable
  webhook_bodies: WebhookBodyTable
  webhook_attempts: WebhookAttemptTable
  notifications: NotificationTable
  return_failures: ReturnFailureTable
  authentications: AuthenticationTable
  next_authentications: NextAuthenticationTable
  next_outcomes: NextOutcomeTable
  faults: FaultTable
  plans: PlanTable
  subscriptions: SubscriptionTable
  clocks: ClockTable
  clock_moves: ClockMoveTable
  subscription_charges: SubscriptionChargeTable
  templates: TemplateTable
  requests: RequestTable
  seeds: SeedTable
  snapshots: SnapshotTable
}

/** Tables that lists are made of: each has id and merchant_id. */
export type ListedTable =
  | 'transactions'
  | 'stored_cards'
  | 'customers'
  | 'refunds'
  | 'webhooks'
  | 'plans'
  | 'subscriptions'

export type Dialect = 'sqlite' | 'postgres'

/** The tables as the databases hold them. */
export type StoredTables = { [Name in keyof Tables]: StoredTable<Tables[Name]> }

/** Tables whose rows have an id of their own; the other tables need no encoding. */
export type NumberedTable = Exclude<
  keyof Tables,
  'login_failures' | 'console_sessions' | 'clocks' | 'seeds' | 'templates'
>

/** The codecs of each table. */
export const CODECS: { readonly [Name in NumberedTable]: TableCodec<Tables[Name]> } = {
  merchants: merchantCodec,
  mails: mailCodec,
  customers: customerCodec,
  stored_cards: storedCardCodec,
  transactions: transactionCodec,
  log_events: logEventCodec,
  captures: captureCodec,
  pending_captures: pendingCaptureCodec,
  payment_links: paymentLinkCodec,
  refunds: refundCodec,
  webhooks: webhookCodec,
  webhook_deliveries: webhookDeliveryCodec,
  webhook_bodies: webhookBodyCodec,
  webhook_attempts: webhookAttemptCodec,
  notifications: notificationCodec,
  return_failures: returnFailureCodec,
  authentications: authenticationCodec,
  next_authentications: nextAuthenticationCodec,
  next_outcomes: nextOutcomeCodec,
  clock_moves: clockMoveCodec,
  faults: faultCodec,
  plans: planCodec,
  subscriptions: subscriptionCodec,
  subscription_charges: subscriptionChargeCodec,
  requests: requestCodec,
  snapshots: snapshotCodec,
}

/** The tables that are described column by column. */
export const COLUMNS = {
  customers: customerColumns,
  stored_cards: storedCardColumns,
  transactions: transactionColumns,
  payment_links: paymentLinkColumns,
  refunds: refundColumns,
  plans: planColumns,
  subscriptions: subscriptionColumns,
} as const

/** The database itself, or a transaction in it. */
export type Queries = Kysely<StoredTables>
