// Generated from openapi.yaml by `node build/contract-types.ts`.
/** A free JSON object. */
export type Metadata = { readonly [key: string]: unknown }

/** A payment. Amounts are decimal text with two decimals, times are UTC. */
export interface Transaction {
  readonly id: number
  readonly created_at: string
  readonly merchant_id: number
  /** Two decimals. An amount with another format is returned as sent. */
  readonly amount: string
  readonly vat_amount: string | null
  /** The merchant's order id. */
  readonly payment_ref: string
  /** The merchant's id of the payer. */
  readonly ref: string | null
  readonly card_holder: string | null
  readonly card_number: string | null
  readonly card_expiry: string | null
  readonly test: boolean
  readonly metadata: Metadata | null
  readonly currency: string
  readonly status:
    | 'pending'
    | '3ds pending'
    | 'authorized'
    | 'capture pending'
    | 'approved'
    | 'declined'
    | 'failed'
  /** Error name if the bank declined the payment. */
  readonly status_details: string
  /** Empty unless the payment failed. */
  readonly fail_message: string
  readonly card_type: string | null
  readonly transaction_type:
    | 'credit_card'
    | 'stored_card'
    | 'recurring'
    | 'invoice'
    | 'swish'
    | 'paypal'
    | 'bank'
    | null
  readonly payment_method:
    | 'credit_card'
    | 'recurring'
    | 'stored'
    | 'invoice'
    | 'swish'
    | 'paypal'
    | 'bank'
  /** The simple values that were sent, and the data about the payer. The card number is masked. */
  readonly payment_request: Metadata
  readonly payment_response: Metadata | null
  readonly template_id: number | null
  readonly error: ApiError | null
  readonly cost: Cost
  readonly success_url: string | null
  readonly error_url: string | null
  readonly items: readonly Item[]
  /** true: the amount was reserved. The value remains true after the capture. */
  readonly authorize: boolean
  /** true: a payment link created the transaction. */
  readonly link_payment: boolean
  readonly mpi_ref: string | null
  /** Address where the payer pays. */
  readonly href: string
  readonly stored_card: Reference | StoredCard | null
  readonly customer: Reference | Customer | null
  readonly subscription: Reference | Subscription | null
  readonly payment_details: PaymentDetails | null
  readonly processed_at: string | null
  readonly refunds: readonly Refund[]
  readonly refunds_all: readonly Refund[]
  readonly captures: readonly Capture[]
  /** The authorized amount. Before the authorization: the requested amount, or 0 if its format is invalid. */
  readonly org_auth_amount: number
  readonly webhooks: readonly Webhook[]
  readonly event_context: Metadata
  readonly log_events: readonly LogEvent[]
  readonly client_info: ClientInfo
  /** The amount in the currency of the card, as offered to the payer, and the payer's choice. null if the payer got no offer. */
  readonly currency_converter: CurrencyConverter | null
  /** The wallet that the payment was made with. */
  readonly wallet_type: 'apple_pay' | 'google_pay' | null
  /** Webhooks of the request, by trigger. */
  readonly dynamic_webhooks: { readonly [key: string]: readonly DynamicWebhook[] }
  /** Empty if the name is unknown. */
  readonly customer_name: string
  /** Empty until a bank has approved the payment. */
  readonly provider_ref: string
  readonly request_hash: string | null
  /** MD5 of merchant_id, payment_ref, customer_ref, amount, currency, status and secret. */
  readonly response_hash: string
}

/** A refund of money, or the release of a reservation. */
export interface Refund {
  readonly id: number
  readonly created_at: string
  readonly amount: string
  readonly reason: string
  readonly ref: string | null
  readonly transaction: Reference | Transaction
}

/** A token for a card, stored with the payer's consent. */
export interface StoredCard {
  readonly id: number
  readonly created_at: string
  /** Send it as card_number to pay, with card_type STORED_CARD. */
  readonly token: string
  readonly card_holder: string
  readonly card_number: string
  readonly card_type: string
  readonly status: 'active' | 'cancelled'
  /** Upper case, unlike in transactions. */
  readonly currency: string
  readonly expires: string
  /** The merchant's id of the payer. */
  readonly ref: string | null
  readonly merchant_id: number
  readonly test: boolean
  /** The transaction that created the card or paid with it last, as JSON text. */
  readonly transaction: string | null
  /** true: the card can only pay for plans and subscriptions. */
  readonly recurring: boolean
  readonly customer: Reference | Customer | null
}

/** A payer, as the merchant knows them. */
export interface Customer {
  readonly id: number
  readonly created_at: string
  /** The merchant's id of the payer. */
  readonly ref: string | null
  readonly metadata: Metadata | null
}

/** Price and period of subscriptions. */
export interface Plan {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  readonly merchant_id: number
  readonly name: string
  readonly description: string
  readonly interval: number
  readonly interval_unit: 'days' | 'months'
  /** 0: the subscription never ends. */
  readonly periods: number
  readonly prices: { readonly [key: string]: string }
  readonly setup_fees: { readonly [key: string]: string }
  readonly trial_length: number
  readonly status: 'active' | 'cancelled'
}

/** Regular charges of a stored card for a plan. Price, interval and periods are copied from the plan at the start. */
export interface Subscription {
  readonly id: number
  readonly created_at: string
  readonly updated_at: string
  readonly status: 'active' | 'cancelled'
  readonly price: string
  readonly currency: string
  readonly interval: number
  readonly interval_unit: 'days' | 'months'
  /** 0: the subscription never ends. */
  readonly total_periods: number
  /** Number of paid periods. */
  readonly period_count: number
  readonly periods_left: number
  readonly start_date: string
  readonly next_at: string
  readonly subscription_quantity: number
  /** Another name for ref. */
  readonly multiplier: number
  readonly debt: string
  /** Number of failures since the last success. */
  readonly retry_count: number
  readonly test: boolean
  readonly items: readonly Item[]
  readonly metadata: Metadata | null
  readonly plan: Reference | Plan
  readonly customer: Reference | Customer | null
  readonly stored_card: Reference | StoredCard | null
}

/** A message to the merchant on a payment event. */
export interface Webhook {
  readonly id: number
  readonly created_at: string
  readonly type: 'CustomHttp' | 'Email' | 'receipt'
  /** The last answer; null if nothing was sent. */
  readonly response: null | {
    /** HTTP status; null if the answer was incomplete. */
    readonly code: number | null
    /** The first 64 KB of the body. */
    readonly body: string | null
    /** Reason phrase of the HTTP status, such as Not Found. */
    readonly message: string | null
    readonly headers: { readonly [key: string]: string } | null
    /** Why the answer was incomplete. */
    readonly error: string | null
  }
  readonly http_method: 'post' | 'get' | null
  readonly email: string | null
  readonly url: string | null
  readonly trigger:
    | 'payment'
    | 'payment_success'
    | 'payment_error'
    | 'payment_form'
    | 'recurring_success'
    | 'refund'
    | 'stored_card'
    | 'before_payment'
    | string
  readonly data_format: 'json' | 'form_data' | 'xml' | null
  readonly request_body: string | null
}

/** Body of every rejected call. */
export interface ApiError {
  /** Starts with errors. */
  readonly name: string
  readonly code: number
  /** A message for the payer, in the requested language. */
  readonly description: string
}

/** Decimal text with up to three decimals. All values are zero until the payment is made. */
export interface Cost {
  readonly id: number
  readonly percentual_fee: string
  readonly fixed_fee: string
  readonly percentual_exchange_fee: string
  readonly vat_rate: string
  readonly total: string
}

/** One item as sent, with its additional keys. */
export interface Item {
  readonly artno?: string | number | boolean | null | undefined
  readonly description?: string | number | boolean | null | undefined
  readonly amount?: string | number | null | undefined
  readonly qty?: string | number | boolean | null | undefined
  readonly vat?: string | number | boolean | null | undefined
  readonly discount?: string | number | boolean | null | undefined
  readonly [key: string]: unknown
}

/** The id of a related object. */
export interface Reference {
  readonly id: number
}

/** Data about the payer; null if unknown. */
export interface PaymentDetails {
  readonly id: number
  readonly card_number: string | null
  readonly card_holder: string | null
  readonly card_type: string | null
  readonly customer_number: string | null
  readonly personal_number: string | null
  readonly first_name: string | null
  readonly last_name: string | null
  readonly zip: string | null
  readonly country_code: string | null
  readonly country: string | null
  readonly address: string | null
  readonly city: string | null
  readonly bank_name: string | null
  readonly bank_acc_lastdigits: string | null
  readonly phone: string | null
  readonly ssn: string | null
  readonly card_issuer: string | null
  readonly credit_or_debit: string | null
  readonly card_country_code: string | null
  readonly campaign: string | null
  readonly segmentation: string | null
  readonly company_name: string | null
  readonly address_1: string | null
  readonly address_2: string | null
  readonly swish_number: string | null
  readonly vipps_number: string | null
  readonly email: string | null
  readonly phone_prefix: string | null
  readonly state_or_province: string | null
  readonly gender: string | null
}

/** A capture of a reserved amount. */
export interface Capture {
  readonly id: number
  readonly created_at: string
  readonly amount: string
}

/** One step in the history of a transaction. */
export interface LogEvent {
  readonly id: number
  readonly event_type: 'payment' | 'rules' | 'fraud_check'
  readonly created_at: string
  readonly data: Metadata
}

/** The payer's browser. If a value is unknown, platform and accept_language are null; other values are empty. */
export interface ClientInfo {
  readonly raw_user_agent: string
  readonly browser: string
  readonly version: string
  readonly platform: string | null
  readonly ip: string
  readonly accept_language: string | null
}

/** The amount of the transaction in the currency of the payer's card. The transaction keeps its own currency. */
export interface CurrencyConverter {
  readonly amount: string
  readonly currency: string
  /** Value of one unit of the transaction's currency in this currency. */
  readonly rate: string
  readonly chosen_currency: string
}

/** A webhook that was sent with its transaction. */
export interface DynamicWebhook {
  readonly type: 'CustomHttp' | 'Email' | 'receipt'
  readonly url: string | null
  readonly http_method: 'post' | 'get' | null
  readonly data_format: 'json' | 'form_data' | 'xml' | null
  readonly email: string | null
}

export type TransactionStatus = Transaction['status']
export type PaymentMethod = Transaction['payment_method']
export type TransactionType = NonNullable<Transaction['transaction_type']>
export type IntervalUnit = Plan['interval_unit']
export type PlanStatus = Plan['status']
export type WirePrices = Plan['prices']
export type SubscriptionStatus = Subscription['status']

/** Names of the fields of each object. */
export const FIELDS = {
  Transaction: [
    'id',
    'created_at',
    'merchant_id',
    'amount',
    'vat_amount',
    'payment_ref',
    'ref',
    'card_holder',
    'card_number',
    'card_expiry',
    'test',
    'metadata',
    'currency',
    'status',
    'status_details',
    'fail_message',
    'card_type',
    'transaction_type',
    'payment_method',
    'payment_request',
    'payment_response',
    'template_id',
    'error',
    'cost',
    'success_url',
    'error_url',
    'items',
    'authorize',
    'link_payment',
    'mpi_ref',
    'href',
    'stored_card',
    'customer',
    'subscription',
    'payment_details',
    'processed_at',
    'refunds',
    'refunds_all',
    'captures',
    'org_auth_amount',
    'webhooks',
    'event_context',
    'log_events',
    'client_info',
    'currency_converter',
    'wallet_type',
    'dynamic_webhooks',
    'customer_name',
    'provider_ref',
    'request_hash',
    'response_hash',
  ],
  PaymentDetails: [
    'id',
    'card_number',
    'card_holder',
    'card_type',
    'customer_number',
    'personal_number',
    'first_name',
    'last_name',
    'zip',
    'country_code',
    'country',
    'address',
    'city',
    'bank_name',
    'bank_acc_lastdigits',
    'phone',
    'ssn',
    'card_issuer',
    'credit_or_debit',
    'card_country_code',
    'campaign',
    'segmentation',
    'company_name',
    'address_1',
    'address_2',
    'swish_number',
    'vipps_number',
    'email',
    'phone_prefix',
    'state_or_province',
    'gender',
  ],
  StoredCard: [
    'id',
    'created_at',
    'token',
    'card_holder',
    'card_number',
    'card_type',
    'status',
    'currency',
    'expires',
    'ref',
    'merchant_id',
    'test',
    'transaction',
    'recurring',
    'customer',
  ],
  Customer: ['id', 'created_at', 'ref', 'metadata'],
  Plan: [
    'id',
    'created_at',
    'updated_at',
    'merchant_id',
    'name',
    'description',
    'interval',
    'interval_unit',
    'periods',
    'prices',
    'setup_fees',
    'trial_length',
    'status',
  ],
  Subscription: [
    'id',
    'created_at',
    'updated_at',
    'status',
    'price',
    'currency',
    'interval',
    'interval_unit',
    'total_periods',
    'period_count',
    'periods_left',
    'start_date',
    'next_at',
    'subscription_quantity',
    'multiplier',
    'debt',
    'retry_count',
    'test',
    'items',
    'metadata',
    'plan',
    'customer',
    'stored_card',
  ],
} as const

/** Parameters that `payment_request` repeats. */
export const PAYMENT_REQUEST_FIELDS = [
  'merchant_id',
  'amount',
  'vat_amount',
  'payment_ref',
  'order_id',
  'currency',
  'customer_ref',
  'success_url',
  'error_url',
  'test',
  'store_card',
  'plan_id',
  'start_date',
  'subscription_quantity',
  'hash',
  'process',
  'authorize',
  'payment_method',
  'swish_number',
  'template_id',
  'locale',
  'payment_details',
  'card_number',
] as const
