import type { Kysely } from 'kysely'
import type { CaptureTable } from './captures.ts'
import type { CustomerTable } from './customers.ts'
import type { LogEventTable } from './log-events.ts'
import type { LoginFailureTable } from './login-failures.ts'
import type { MerchantTable } from './merchants.ts'
import type { PlanTable } from './plans.ts'
import type { RefundTable } from './refunds.ts'
import type { StoredCardTable } from './stored-cards.ts'
import type { SubscriptionTable } from './subscriptions.ts'
import type { TransactionTable } from './transactions.ts'
import type { WebhookTable } from './webhooks.ts'

/*
 * The tables as TypeScript sees them. Conventions, the same on SQLite and PostgreSQL:
 * money is integer hundredths, times are epoch milliseconds UTC, flags are 0 or 1, objects are JSON text.
 */

export interface Tables {
  merchants: MerchantTable
  login_failures: LoginFailureTable
  customers: CustomerTable
  stored_cards: StoredCardTable
  transactions: TransactionTable
  log_events: LogEventTable
  captures: CaptureTable
  refunds: RefundTable
  webhooks: WebhookTable
  plans: PlanTable
  subscriptions: SubscriptionTable
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

/** What a query may be run on: the database itself, or a transaction in it. */
export type Queries = Kysely<Tables>
