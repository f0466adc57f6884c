import type { Selectable, Updateable } from 'kysely'
import type {
  CurrencyConverter,
  Item,
  PaymentMethod,
  TransactionStatus,
  TransactionType,
} from '../../contract/wire.ts'
import { CARD_TYPES } from '../../domain/card/card-types.ts'
import type { ErrorKey } from '../../domain/errors/errors.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { WALLET_TYPES } from '../../domain/order/wallets.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import {
  amount,
  emptyRow,
  filledIn,
  flag,
  id,
  integer,
  json,
  key,
  listed,
  moment,
  nullable,
  oneOf,
  reference,
  repeatedJson,
  sent,
  type TableOf,
  text,
} from './columns.ts'

/** Facts about the payer's browser. */
export type ClientFacts = Readonly<Record<'user_agent' | 'ip' | 'accept_language', string>>

/** The columns of `transactions`. */
export const transactionColumns = {
  id: listed(key()),
  merchant_id: reference('merchants'),
  /** Amount; null if `amount_text` is not well-formed. */
  amount: listed(nullable(amount())),
  /** As sent (specification: amount rules: a bad format fails only when paying). */
  amount_text: text(),
  vat_amount: sent(nullable(amount()), { kind: 'decimal' }),
  currency: listed(text<Currency>(), 'word'),
  payment_ref: listed(text()),
  customer_ref: nullable(text()),
  customer_id: listed(nullable(id())),
  stored_card_id: listed(nullable(id())),
  subscription_id: listed(nullable(id())),
  template_id: listed(nullable(id())),
  card_holder: listed(nullable(text())),
  /** First six and last four digits; the whole number is never stored. */
  card_number: listed(nullable(text())),
  card_expiry: nullable(text()),
  card_type: listed(nullable(oneOf(CARD_TYPES)), 'word'),
  test: listed(flag()),
  authorize: flag(),
  store_card: flag(),
  status: listed(text<TransactionStatus>(), 'word'),
  status_details: nullable(text()),
  /** Key in the error catalogue of the last refusal of the bank. */
  error_name: nullable(text<ErrorKey>()),
  /** Free text instead of the catalogue's (service_instructions.fail_as_message). */
  error_message: nullable(text()),
  transaction_type: listed(nullable(text<TransactionType>()), 'word'),
  payment_method: text<PaymentMethod>(),
  success_url: listed(nullable(text())),
  error_url: listed(nullable(text())),
  href_token: listed(text(), 'exact'),
  /** The browser library's id of one attempt to pay, which `/v1/attempts` finds. */
  attempt: nullable(text()),
  mpi_ref: nullable(text()),
  provider_ref: nullable(text()),
  request_hash: nullable(text()),
  /** Authorized amount, also after a lower capture. */
  org_auth_amount: nullable(amount()),
  metadata: nullable(json<JsonObject>()),
  items: nullable(json<readonly Item[]>()),
  /** The merchant's values in their normal form. */
  payment_details: nullable(json<SentPaymentDetails>()),
  payment_request: json<JsonObject>(),
  payment_response: nullable(json<JsonObject>()),
  client: repeatedJson<ClientFacts>(),
  /** The plan that the payer subscribes to by paying, and how; the subscription is made then. */
  plan_id: nullable(id()),
  /** First moment of the day. */
  start_date: nullable(moment()),
  subscription_quantity: nullable(integer()),
  subscription_items: nullable(json<readonly Item[]>()),
  /** The payment link that it was created through. */
  payment_link_id: nullable(id()),
  /** The wallet whose card pays. */
  wallet_type: nullable(oneOf(WALLET_TYPES)),
  /** Offer in the currency of the card, and the payer's choice. */
  currency_converter: nullable(json<CurrencyConverter>()),
  /** Time from which the payment page cannot pay it; null: never. */
  expires_at: nullable(moment()),
  /** Number of attempts to pay on the payment page. */
  tries: filledIn(integer(), '0'),
  /** Time limit of the payer's answer elsewhere; null if the payment waits for no answer. */
  answer_by: nullable(moment()),
  processed_at: nullable(moment()),
  created_at: listed(moment()),
  updated_at: listed(moment()),
  /**
   * Counts changes. Every UPDATE names the version that it read, so one of two simultaneous updates
   * succeeds.
   */
  version: filledIn(integer(), '1'),
}

/** Columns of a charge that its log event repeats. */
export const LOGGED_COLUMNS = ['wallet_type', 'currency_converter'] as const

type TransactionTable = TableOf<typeof transactionColumns>
export type TransactionRow = Selectable<TransactionTable>

/** A row without the columns that the database fills in. */
export type NewTransactionRow = Omit<TransactionRow, 'id' | 'tries' | 'version'>
export type TransactionChanges = Omit<
  Updateable<TransactionTable>,
  'id' | 'merchant_id' | 'version'
>

/** A transaction with null in every column that can be null. */
export const EMPTY_TRANSACTION = emptyRow(transactionColumns)

/** The columns of a new transaction that its request sets; a column that can be null may be absent. */
export type OrderColumns = Partial<Pick<NewTransactionRow, keyof typeof EMPTY_TRANSACTION>> &
  Omit<
    NewTransactionRow,
    | keyof typeof EMPTY_TRANSACTION
    | 'merchant_id'
    | 'status'
    | 'href_token'
    | 'created_at'
    | 'updated_at'
  >
