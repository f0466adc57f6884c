import type { ColumnType, Insertable, Selectable, Updateable } from 'kysely'
import type {
  CurrencyConverter,
  Item,
  PaymentMethod,
  TransactionStatus,
  TransactionType,
} from '../../contract/wire.ts'
import type { CardType } from '../../domain/card/card-types.ts'
import type { ErrorKey } from '../../domain/errors/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import type { Hundredths } from '../../domain/money/money.ts'
import type { WalletType } from '../../domain/order/wallets.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import { FLAG, type Id, JSON_TEXT, REPEATED_JSON, tableCodec } from './codec.ts'

/** Facts about the payer's browser. */
export type ClientFacts = Readonly<Record<'user_agent' | 'ip' | 'accept_language', string>>

export interface TransactionTable {
  id: Id
  merchant_id: number
  /** Null when `amount_text` is not a well-formed amount. */
  amount: Hundredths | null
  /** As sent (specification: amount rules: a bad format fails only when paying). */
  amount_text: string
  vat_amount: Hundredths | null
  currency: Currency
  payment_ref: string
  customer_ref: string | null
  customer_id: number | null
  stored_card_id: number | null
  subscription_id: number | null
  template_id: number | null
  card_holder: string | null
  /** First six and last four digits; the whole number is never stored. */
  card_number: string | null
  card_expiry: string | null
  card_type: CardType | null
  test: boolean
  authorize: boolean
  store_card: boolean
  status: TransactionStatus
  status_details: string | null
  /** Key in the error catalogue of the last refusal of the bank. */
  error_name: ErrorKey | null
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
  /** Authorized amount, also after a lower capture. */
  org_auth_amount: Hundredths | null
  metadata: JsonObject | null
  items: readonly Item[] | null
  /** The merchant's values in their normal form. */
  payment_details: SentPaymentDetails | null
  payment_request: JsonObject
  payment_response: JsonObject | null
  client: ClientFacts
  /** The plan that the payer subscribes to by paying, and how; the subscription is made then. */
  plan_id: number | null
  /** First moment of the day. */
  start_date: number | null
  subscription_quantity: number | null
  subscription_items: readonly Item[] | null
  /** The payment link that it was created through. */
  payment_link_id: number | null
  /** The wallet whose card pays. */
  wallet_type: WalletType | null
  /** Offer in the currency of the card, and the payer's choice. */
  currency_converter: CurrencyConverter | null
  /** From this moment on its page cannot pay it; null is never. */
  expires_at: ColumnType<number | null, number | null | undefined, number | null>
  /** How often its page has asked the bank. */
  tries: ColumnType<number, number | undefined, number>
  /** Time limit of the payer's answer elsewhere; null if the payment waits for no answer. */
  answer_by: ColumnType<number | null, number | null | undefined, number | null>
  processed_at: number | null
  created_at: number
  updated_at: number
  /**
   * Counts changes. Every UPDATE names the version that it read, so one of two simultaneous updates
   * succeeds.
   */
  version: ColumnType<number, number | undefined, number>
}

export type TransactionRow = Selectable<TransactionTable>
type InsertableTransaction = Insertable<TransactionTable>

/** Columns with a default. */
type DefaultedColumn = 'expires_at' | 'tries' | 'answer_by'

/** Every other column must be named, also if it starts as null. */
export type NewTransactionRow = Required<
  Omit<InsertableTransaction, 'id' | 'version' | DefaultedColumn>
> &
  Pick<InsertableTransaction, DefaultedColumn>
export type TransactionChanges = Omit<
  Updateable<TransactionTable>,
  'id' | 'merchant_id' | 'version'
>

export const transactionCodec = tableCodec<TransactionTable>({
  test: FLAG,
  authorize: FLAG,
  store_card: FLAG,
  metadata: JSON_TEXT,
  items: JSON_TEXT,
  payment_details: JSON_TEXT,
  payment_request: JSON_TEXT,
  payment_response: JSON_TEXT,
  client: REPEATED_JSON,
  subscription_items: JSON_TEXT,
  currency_converter: JSON_TEXT,
})
