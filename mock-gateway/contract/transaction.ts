import type { Customer } from './customer.ts'
import type { ApiError } from './error.ts'
import type { Metadata, Reference } from './reference.ts'
import type { Capture, Refund } from './refund.ts'
import type { StoredCard } from './stored-card.ts'
import type { Subscription } from './subscription.ts'
import type { Webhook } from './webhook.ts'

/** Where a transaction stands (specification: States). */
export type TransactionStatus =
  | 'pending'
  | '3ds pending'
  | 'authorized'
  | 'capture pending'
  | 'approved'
  | 'declined'
  | 'failed'

/** How a transaction is paid (specification: Transaction, payment_method). */
export type PaymentMethod = 'credit_card' | 'recurring' | 'stored' | 'invoice' | 'swish' | 'paypal' | 'bank'

/** What kind of payment it became; null until it is paid (observed: 7.2, 8.3). */
export type TransactionType = 'credit_card' | 'stored_card' | 'recurring' | 'invoice' | 'swish' | 'paypal' | 'bank'

/** The fees of a transaction, as text with up to three decimals (specification: cost; observed: 7.1). */
export interface Cost {
  readonly id: number
  readonly percentual_fee: string
  readonly fixed_fee: string
  readonly percentual_exchange_fee: string
  readonly vat_rate: string
  readonly total: string
}

/** The payer's browser, read from the request that brought the card (specification: client_info). */
export interface ClientInfo {
  readonly raw_user_agent: string
  readonly browser: string
  readonly version: string
  readonly platform: string | null
  readonly ip: string
  readonly accept_language: string | null
}

/** One step in the life of a transaction (specification: log_events). */
export interface LogEvent {
  readonly id: number
  readonly event_type: string
  readonly created_at: string
  readonly data: Metadata
}

/** What is known of the payer; every field is there, null where not applicable (specification: Payment details). */
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

/** One row of a basket (specification: Item). Further keys of the merchant are kept. */
export interface Item {
  readonly artno?: string
  readonly description?: string
  readonly amount?: string | number
  readonly qty?: string | number
  readonly vat?: string | number
  readonly discount?: string | number
  readonly [key: string]: unknown
}

/**
 * A transaction as the API answers it, keys in this order (specification: Transaction; observed: 7.1).
 * Amounts are decimal text with two decimals, times are ISO 8601 UTC without milliseconds.
 */
export interface Transaction {
  readonly id: number
  readonly created_at: string
  readonly merchant_id: number
  readonly amount: string
  readonly vat_amount: string | null
  readonly payment_ref: string
  readonly ref: string | null
  readonly card_holder: string | null
  readonly card_number: string | null
  readonly card_expiry: string | null
  readonly test: boolean
  readonly metadata: Metadata | null
  readonly currency: string
  readonly status: TransactionStatus
  readonly status_details: string | null
  readonly fail_message: string
  readonly card_type: string | null
  readonly transaction_type: TransactionType | null
  readonly payment_method: PaymentMethod
  readonly payment_request: Metadata
  readonly payment_response: Metadata | null
  readonly template_id: number | null
  readonly error: ApiError | null
  /** Zeros until it is paid. */
  readonly cost: Cost
  readonly success_url: string | null
  readonly error_url: string | null
  readonly items: readonly Item[]
  readonly authorize: boolean
  readonly link_payment: boolean
  readonly mpi_ref: string | null
  readonly href: string
  readonly stored_card: Reference | StoredCard | null
  readonly customer: Reference | Customer | null
  readonly subscription: Reference | Subscription | null
  readonly payment_details: PaymentDetails | null
  readonly processed_at: string | null
  readonly refunds: readonly Refund[]
  readonly refunds_all: readonly Refund[]
  readonly captures: readonly Capture[]
  /**
   * A number, never text: clients compare it with sums of refunds (observed: 7.1). Before it is authorized, what is asked
   * for; 0 when that is in a bad format.
   */
  readonly org_auth_amount: number
  readonly webhooks: readonly Webhook[]
  readonly event_context: Metadata
  readonly log_events: readonly LogEvent[]
  readonly client_info: ClientInfo
  readonly currency_converter: Metadata | null
  readonly wallet_type: string | null
  readonly dynamic_webhooks: Metadata
  /** Empty while nobody is named. */
  readonly customer_name: string
  /** Empty until a bank has approved it. */
  readonly provider_ref: string
  readonly request_hash: string | null
  readonly response_hash: string
}
