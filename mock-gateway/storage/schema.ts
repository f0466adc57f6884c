import type { ColumnType, Generated, Kysely } from 'kysely'
import type { IntervalUnit, PlanStatus } from '../contract/plan.ts'
import type { SubscriptionStatus } from '../contract/subscription.ts'
import type { PaymentMethod, TransactionStatus, TransactionType } from '../contract/transaction.ts'

/*
 * The tables as TypeScript sees them. Conventions, the same on SQLite and PostgreSQL:
 * money is integer hundredths, times are epoch milliseconds UTC, flags are 0 or 1, objects are JSON text.
 */

/** 0 is false, 1 is true. */
export type Flag = 0 | 1

/** Set by the database when a row is inserted. */
type Id = Generated<number>

export interface MerchantTable {
  id: number
  name: string
  /** scrypt, see merchants/password.ts */
  password_hash: string
  /** In clear: the request hash is MD5 over it (specification: Authentication). */
  secret: string
  private_key: string | null
  public_key: string | null
  /** JSON of MerchantSettings. */
  settings: string
  created_at: number
  updated_at: number
}

/** Failed logins of one user name in a row, whether a merchant has that name or not. */
export interface LoginFailureTable {
  username: string
  failures: number
  /** Null while fewer than the limit have failed. */
  locked_until: number | null
  updated_at: number
}

export interface CustomerTable {
  id: Id
  merchant_id: number
  ref: string | null
  metadata: string | null
  created_at: number
  updated_at: number
}

export interface StoredCardTable {
  id: Id
  merchant_id: number
  customer_id: number | null
  token: string
  card_holder: string
  /** First six and last four digits; the number itself is never kept. */
  card_number: string
  /** MMYY */
  card_expiry: string
  card_type: string
  currency: string
  status: 'active' | 'cancelled'
  expires: number
  ref: string | null
  test: Flag
  recurring: Flag
  /** The transaction that created or last used the card. */
  transaction_id: number | null
  created_at: number
  updated_at: number
}

export interface TransactionTable {
  id: Id
  merchant_id: number
  /** Hundredths; null when `amount_text` is not a well-formed amount. */
  amount: number | null
  /** As sent (specification: amount rules: a bad format fails only when paying). */
  amount_text: string
  vat_amount: number | null
  currency: string
  payment_ref: string
  customer_ref: string | null
  customer_id: number | null
  stored_card_id: number | null
  subscription_id: number | null
  template_id: number | null
  card_holder: string | null
  /** First six and last four digits; the number itself is never kept. */
  card_number: string | null
  card_expiry: string | null
  card_type: string | null
  test: Flag
  authorize: Flag
  store_card: Flag
  status: TransactionStatus
  status_details: string | null
  /** Name in the error catalogue of the last refusal of the bank. */
  error_name: string | null
  /** Free text instead of the catalogue's (service_instructions.fail_as_message). */
  error_message: string | null
  transaction_type: TransactionType | null
  payment_method: PaymentMethod
  success_url: string | null
  error_url: string | null
  href_token: string
  /** The browser library's id of one attempt to pay; answers "what became of it?". */
  attempt: string | null
  mpi_ref: string | null
  provider_ref: string | null
  request_hash: string | null
  /** Hundredths; what was authorized, also after a lower capture. */
  org_auth_amount: number | null
  metadata: string | null
  items: string | null
  payment_details: string | null
  payment_request: string
  payment_response: string | null
  /** JSON of { user_agent, ip, accept_language }. */
  client: string
  /** The plan that the payer subscribes to by paying, and how; the subscription is made then. */
  plan_id: number | null
  /** First moment of the day. */
  start_date: number | null
  subscription_quantity: number | null
  subscription_items: string | null
  processed_at: number | null
  created_at: number
  updated_at: number
  /** Counts changes; every UPDATE names the one it read, so of two at once one wins. */
  version: ColumnType<number, number | undefined, number>
}

export interface LogEventTable {
  id: Id
  transaction_id: number
  event_type: string
  data: string
  created_at: number
}

export interface CaptureTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: number
  created_at: number
}

export interface RefundTable {
  id: Id
  merchant_id: number
  transaction_id: number
  amount: number
  reason: string
  ref: string | null
  created_at: number
}

export interface WebhookTable {
  id: Id
  merchant_id: number
  transaction_id: number
  type: string
  trigger: string
  url: string | null
  http_method: string | null
  data_format: string | null
  email: string | null
  response: string | null
  request_body: string | null
  created_at: number
}

export interface PlanTable {
  id: Id
  merchant_id: number
  name: string
  description: string
  interval: number
  interval_unit: IntervalUnit
  /** JSON of hundredths by currency in lower case. */
  prices: string
  setup_fees: string
  /** 0 is for ever. */
  periods: number
  /** Days. */
  trial_length: number
  status: PlanStatus
  created_at: number
  updated_at: number
}

/** The plan's terms as they were when the subscription began, and how far it has come. */
export interface SubscriptionTable {
  id: Id
  merchant_id: number
  plan_id: number
  customer_id: number | null
  stored_card_id: number
  status: SubscriptionStatus
  currency: string
  /** Hundredths for one period and a quantity of one. */
  price: number
  quantity: number
  /** JSON list of the items that every charge adds. */
  items: string
  /** Hundredths that the next charge adds, or, below zero, subtracts. */
  debt: number
  interval: number
  interval_unit: IntervalUnit
  /** 0 is for ever. */
  total_periods: number
  /** Periods paid. */
  period_count: number
  /** Failures since the last success. */
  retry_count: number
  /** When it began, before any trial. */
  start_date: number
  /** Start of the first period: all others are counted from here. */
  anchor_at: number
  next_at: number
  metadata: string | null
  test: Flag
  created_at: number
  updated_at: number
}

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
