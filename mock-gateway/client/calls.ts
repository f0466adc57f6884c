// Generated from contract/openapi.yaml by `node build/contract-types.ts`.
import type {
  ApiError,
  Customer,
  Metadata,
  Plan,
  Refund,
  StoredCard,
  Subscription,
  Transaction,
  Webhook,
} from '../contract/wire.ts'
import type { CallOptions, CallRow, List, PageAnswer } from './kinds.ts'

export interface NewTransaction extends Order, Card {
  /** Digits, a dot and two digits. Other formats are rejected when the payment is made. 0.00 is also rejected, unless a card pays for a plan. */
  readonly amount: string
  readonly currency: string
  /** The merchant's order id. Any number of unpaid transactions can have the same payment_ref, but only one of them can be paid. */
  readonly payment_ref: string
  /** Required without a login. With a login, it must be the id of the logged-in merchant. */
  readonly merchant_id?: number | undefined
  /** Address for the payer after a successful payment; required if the payer pays at href. Liquid is allowed after the host. */
  readonly success_url?: string | undefined
  /** Address for the payer after a failed payment; required if the payer pays at href. */
  readonly error_url?: string | undefined
  readonly webhook?: SentWebhook | readonly SentWebhook[] | undefined
  readonly webhooks?: SentWebhook | readonly SentWebhook[] | undefined
  /** Id of the merchant's page template to show at href. An unknown id gets error 103. */
  readonly template_id?: number | undefined
  /** An id that the page chooses, to ask /v1/attempts for the result later. */
  readonly mondido_attempt?: string | undefined
  /** The mpi_ref of 3-D Secure, from the window's message. */
  readonly ref?: string | undefined
  /** The eci from the window's message. Optional, because `ref` alone proves the authentication. */
  readonly eci?: string | undefined
  /** The provider_ref from the window's message. */
  readonly provider_ref?: string | undefined
}

export interface TransactionChanges extends Order, Card {
  /** Must be the id of the logged-in merchant. */
  readonly merchant_id?: number | undefined
}

export interface NewCapture {
  readonly amount: string
  readonly encrypted?: string | undefined
}

export interface NewRefund {
  readonly transaction_id: number
  readonly amount: string
  readonly reason: string
  /** The merchant's own id of the refund. */
  readonly ref?: string | undefined
  readonly encrypted?: string | undefined
}

export interface NewStoredCard extends Card, NamedCustomer {
  /** The number, with or without spaces, or the token of a stored card. */
  readonly card_number: string
  readonly card_holder: string
  readonly card_cvv: string
  readonly card_expiry: string
  /** A card brand such as VISA, not STORED_CARD. The number decides the actual brand. */
  readonly card_type: string
  readonly currency: string
  /** true for test card numbers, false for all others. */
  readonly test?: boolean | undefined
  readonly recurring?: boolean | undefined
}

export interface StoredCardChanges extends NamedCustomer {
  readonly status?: 'active' | 'cancelled' | undefined
  readonly card_holder?: string | undefined
  /** MMYY. */
  readonly card_expiry?: string | undefined
  readonly recurring?: boolean | undefined
  readonly encrypted?: string | undefined
}

export interface CustomerChanges {
  /** The merchant's id of the payer; unique. */
  readonly ref?: string | undefined
  /** Another name for ref. */
  readonly customer_ref?: string | undefined
  /** The merchant's own data about the payer. Changes are merged with the stored data. */
  readonly metadata?: Metadata | undefined
  readonly encrypted?: string | undefined
}

export interface NewPlan extends PlanTerms {
  /** Name of the plan. */
  readonly name: string
  /** Length of a period: at most 366 days or 36 months. */
  readonly interval: number
  /** Unit of the interval: days or months. */
  readonly interval_unit: 'days' | 'months'
  /** Price of a period in each currency. A change replaces all prices. */
  readonly prices: { readonly [key: string]: string | number }
}

export interface PlanChanges extends PlanTerms {
  /** A cancelled plan accepts no new subscriptions. */
  readonly status?: 'active' | 'cancelled' | undefined
}

export interface NewSubscription extends SubscriptionTerms {
  readonly plan_id: number
  /** Id of the card to charge. Or send the customer: the newest active card in a currency of the plan is charged. */
  readonly stored_card_id?: number | undefined
  /** Id of an existing customer, who must own the card. */
  readonly customer_id?: number | undefined
  /** The merchant's id of the payer, who must own the card. */
  readonly customer_ref?: string | undefined
  readonly currency?: string | undefined
  /** true if the card was stored with test=true, otherwise false. */
  readonly test?: boolean | undefined
  readonly start_date?: string | undefined
  readonly subscription_items?: readonly SentItem[] | undefined
}

export interface SubscriptionChanges extends SubscriptionTerms {
  /** cancelled ends the subscription. */
  readonly status?: 'active' | 'cancelled' | undefined
  /** Id of the card for further charges. The count of failures starts again at 0. */
  readonly stored_card_id?: number | undefined
  /** Amount that is added to the next charge; a negative amount is subtracted. */
  readonly debt?: string | undefined
}

/** A card as the payer types it, or another action of the payer on the page. */
export interface TypedCard {
  /** Card number; spaces are allowed. */
  readonly card_number?: string | undefined
  readonly card_holder?: string | undefined
  /** MMYY. Common spellings are also accepted: 1/30, 01 / 2030, 2030-01. */
  readonly card_expiry?: string | undefined
  readonly card_cvv?: string | undefined
  /** Month, together with expYY; old page templates send these instead of card_expiry. */
  readonly expMM?: string | undefined
  /** Year, together with expMM. */
  readonly expYY?: string | undefined
  /** Version of the order that the page showed, from its form. If the merchant has changed the order since, the answer is error 203. */
  readonly version?: string | undefined
  /** `cancel` redirects to error_url with errors.payment.canceled; `extend` restarts the time limit; `answer` is the payer's answer in the simulated app or bank; `back` shows the other methods; `remove_card` removes the stored_card. */
  readonly action?: 'pay' | 'cancel' | 'extend' | 'answer' | 'back' | 'remove_card' | undefined
  /** For an invoice: `address` if the form also asked for the address, because no register has it. */
  readonly step?: 'payer' | 'address' | undefined
  /** Swish and PayPal accept approved, declined, canceled, timeout or failed. A bank also accepts insufficient_funds, account_declined, account_not_found, disabled_user and deposit_not_captured. */
  readonly answer?: string | undefined
  /** Name of the payment method of this form. */
  readonly payment_method?: string | undefined
  /** In test mode: one of the wallets on the page. */
  readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined
  /** One of the wallet's simulated cards. */
  readonly wallet_card?: 'visa' | 'mastercard' | 'declined' | undefined
  /** Old pages send this instead of payment_method=swish. */
  readonly swish?: '1' | undefined
  /** Old pages send this instead of payment_method=paypal. */
  readonly paypal?: '1' | undefined
  /** Old pages send this instead of payment_method=bank. */
  readonly trustly?: '1' | undefined
  /** Old pages send this instead of payment_method=credit_card. */
  readonly masterpass?: '1' | undefined
  /** A Swedish phone number. */
  readonly swish_number?: string | undefined
  /** Id of one of the customer's stored cards on the page. */
  readonly stored_card?: string | undefined
  /** true: the card is stored, if the page offers this. */
  readonly store_card?: boolean | undefined
  /** Id of one of the plans on the page. */
  readonly plan_id?: string | undefined
  /** From inputs named metadata["newsletter"] or metadata[newsletter]; a ticked box is true. */
  readonly metadata?: Metadata | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  /** Personal number, for an invoice. */
  readonly personal_number?: string | undefined
  /** Old name of personal_number. */
  readonly ssn?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly company_name?: string | undefined
  readonly address_1?: string | undefined
  readonly address_2?: string | undefined
  readonly zip?: string | undefined
  readonly city?: string | undefined
  /** Country code of three letters. */
  readonly country_code?: string | undefined
  readonly segmentation?: 'b2c' | 'b2b' | undefined
  readonly campaign?: string | undefined
}

export interface AuthenticatedOrder extends NewTransaction {
  /** An id that the page chooses for the authentication, to ask for its state: 32 hexadecimal digits. */
  readonly mpi_nonce?: string | undefined
}

export interface Authentication {
  readonly event: 'mpi'
  readonly status: 'pending' | 'done'
  /** null while the authentication is pending. */
  readonly success: boolean | null
  readonly mpi_ref: string | null
  readonly eci: string | null
  readonly provider_ref: string | null
  readonly nonce: string | null
  /** Error name from the catalogue. */
  readonly error: string | null
  /** Whether a page of the bank is open in the payer's browser. Use this instead of the state of the window, which can look closed to your page. */
  readonly at_bank: boolean
  /** Whether the bank has started a challenge. */
  readonly challenge: boolean
}

export interface Bank {
  readonly state: 'open' | 'waiting' | 'answered' | 'ended'
  readonly merchant: string
  /** The amount as sent. */
  readonly amount: string
  readonly currency: string
  /** The amount with its currency, for people. */
  readonly price: string
  readonly date: string
  /** First six and last four digits. */
  readonly card_number: string
  /** Kind of challenge. */
  readonly question: 'code' | 'app' | 'choice' | 'choices' | 'bankid'
  /** Current step of the challenge. */
  readonly step: string
  /** Possible answers at this step, with their results. */
  readonly answers: readonly {
    readonly name: string
    /** right, wrong (one attempt less), N (not authenticated, immediately) or the next step. */
    readonly gives: string
  }[]
  /** The right code. */
  readonly code: string | null
  readonly wrong_codes: number
  readonly tries_left: number
  readonly new_codes: number
  readonly new_codes_left: number
  readonly more_time_left: number
  readonly minutes_left: number
  readonly expires_at: string
  readonly outcomes: readonly {
    readonly name?: string | undefined
    readonly label?: string | undefined
  }[]
  /** Address to post cres to. */
  readonly return_url?: string | undefined
  /** The bank's signed answer (challenge response). */
  readonly cres?: string | undefined
  /** Address for the payer after the challenge. */
  readonly continue_url?: string | undefined
}

export interface BankAction {
  /** `code` sends the code, `answer` any other answer, `app` an answer in the app, `result` a chosen result, `case` a case of docs/reference/test-cards.md. */
  readonly action?:
    | 'code'
    | 'answer'
    | 'app'
    | 'result'
    | 'case'
    | 'cancel'
    | 'new_code'
    | 'more_time'
    | undefined
  /** 1234 is right. 0000 fails immediately, and so does the third wrong code. */
  readonly code?: string | undefined
  /** The answer. Separate several answers with commas, such as cafe,train, or send them as keys of an object. cancel and timeout answer any challenge. */
  readonly answer?: string | Metadata | undefined
  /** Case number of a test card, for its result. */
  readonly case?: number | undefined
  /** The 3-D Secure result to force. */
  readonly result?:
    | 'Y'
    | 'A'
    | 'N'
    | 'U'
    | 'R'
    | 'error'
    | 'timeout'
    | 'cancel'
    | 'abandon'
    | 'replay'
    | 'tamper'
    | undefined
}

export interface FoundAddress {
  /** Id of the transaction that is about to be paid. */
  readonly id: number
  readonly first_name: string
  readonly last_name: string
  readonly address_1: string
  readonly address_2: string | null
  readonly zip: string
  readonly city: string
  readonly country: 'SWE' | 'NOR' | 'FIN'
}

export interface Order {
  /** The merchant's order id. Any number of unpaid transactions can have the same payment_ref, but only one of them can be paid. */
  readonly payment_ref?: string | undefined
  /** Old name of personal_number. */
  readonly order_id?: string | undefined
  /** true: a test payment, with test card numbers only; no money is moved. */
  readonly test?: boolean | undefined
  /** true: reserves the amount, for a later capture. */
  readonly authorize?: boolean | undefined
  /** true: stores the card. If the card cannot be stored, stored_card is null and the payment continues. To test this, send metadata.service_instructions with the fail_as_code errors.stored_card.store.declined. */
  readonly store_card?: boolean | undefined
  /** Digits, a dot and two digits. Other formats are rejected when the payment is made. 0.00 is also rejected, unless a card pays for a plan. */
  readonly amount?: string | undefined
  /** Tax that the amount includes, in any common format. */
  readonly vat_amount?: string | undefined
  readonly currency?: string | undefined
  /** The merchant's id of the payer. */
  readonly customer_ref?: string | undefined
  /** MD5 in hexadecimal of merchant_id, payment_ref, customer_ref, amount, currency in lower case, the word test if test is true, and the merchant's secret, joined without separators. */
  readonly hash?: string | undefined
  /** The items of the order. An invoice needs them. */
  readonly items?: readonly SentItem[] | undefined
  /** Free-form data of the merchant, at most 65,536 characters of JSON. */
  readonly metadata?: Metadata | undefined
  readonly payment_details?: SentPaymentDetails | undefined
  /** Unknown values count as credit_card. */
  readonly payment_method?: 'credit_card' | 'invoice' | 'swish' | 'paypal' | 'bank' | undefined
  /** The payer's Swedish phone number; required for a Swish payment with process=true. */
  readonly swish_number?: string | undefined
  /** The plan that the payer subscribes to. The card is stored for the later charges. If the payment stores no card, no subscription starts and subscription is null. A payment of 0.00 pays no period. */
  readonly plan_id?: number | undefined
  readonly start_date?: string | undefined
  readonly subscription_quantity?: number | undefined
  readonly subscription_items?: readonly SentItem[] | undefined
  /** false: only prepares the payment. */
  readonly process?: boolean | undefined
}

/** The card of a payment. A stored card needs only its token as card_number, and card_type STORED_CARD. */
export interface Card {
  /** The number, with or without spaces, or the token of a stored card. */
  readonly card_number?: string | undefined
  readonly card_holder?: string | undefined
  readonly card_expiry?: string | undefined
  readonly card_cvv?: string | undefined
  /** The brand, such as VISA, or STORED_CARD. */
  readonly card_type?: string | undefined
  readonly encrypted?: string | undefined
}

export interface SentWebhook {
  /** The event, in upper or lower case. before_payment is sent before the bank is asked, and needs a url. Unknown names are accepted but never send a webhook. */
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
  /** CustomHttp needs a url, Email needs an email; upper and lower case are equal. receipt sends a mail to the payer, or to email. With another type, or without a type, the webhook uses url, or email if there is no url. */
  readonly type?: string | undefined
  /** Address for an HTTP webhook. */
  readonly url?: string | undefined
  readonly http_method?: 'post' | 'get' | undefined
  readonly data_format?: 'json' | 'form_data' | 'xml' | undefined
  /** Address for an e-mail webhook. */
  readonly email?: string | undefined
}

export interface NamedCustomer {
  /** The merchant's id of the payer. An unknown id creates a customer. */
  readonly customer_ref?: string | undefined
  /** Id of an existing customer. */
  readonly customer_id?: number | undefined
}

export interface PlanTerms {
  /** Name of the plan. */
  readonly name?: string | undefined
  /** Description for the payer. */
  readonly description?: string | undefined
  /** Length of a period: at most 366 days or 36 months. */
  readonly interval?: number | undefined
  /** Unit of the interval: days or months. */
  readonly interval_unit?: 'days' | 'months' | undefined
  /** Price of a period in each currency. A change replaces all prices. */
  readonly prices?: { readonly [key: string]: string | number } | undefined
  /** Fee that is charged once, with the first charge; it is in debt until then. If a payment of more than 0.00 starts the subscription, its amount already contains the fee. */
  readonly setup_fees?: { readonly [key: string]: string | number } | undefined
  /** Number of periods until a subscription ends; 0: it never ends. */
  readonly periods?: number | undefined
  /** Number of days before the first charge. */
  readonly trial_length?: number | undefined
  readonly encrypted?: string | undefined
}

export interface SubscriptionTerms {
  readonly plan_id?: number | undefined
  readonly quantity?: number | undefined
  readonly subscription_quantity?: number | undefined
  readonly metadata?: Metadata | undefined
  readonly encrypted?: string | undefined
}

/** One item of an order. Additional keys are stored. */
export interface SentItem {
  /** Article number. A longer number gets error 315. */
  readonly artno?: string | undefined
  readonly description?: string | undefined
  /** Price of all units together. */
  readonly amount?: number | string | undefined
  /** Quantity. */
  readonly qty?: string | number | undefined
  /** Tax rate; not validated. */
  readonly vat?: string | number | undefined
  /** Discount; not validated. */
  readonly discount?: string | number | undefined
  readonly notes?: string | undefined
}

/** Data about the payer. card_number, card_holder and card_type come from the card. */
export interface SentPaymentDetails {
  readonly customer_number?: string | undefined
  readonly personal_number?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly zip?: string | undefined
  readonly country_code?: string | undefined
  readonly country?: string | undefined
  readonly address?: string | undefined
  readonly city?: string | undefined
  readonly bank_name?: string | undefined
  readonly bank_acc_lastdigits?: string | undefined
  readonly phone?: string | undefined
  readonly ssn?: string | undefined
  readonly card_issuer?: string | undefined
  readonly credit_or_debit?: string | undefined
  readonly card_country_code?: string | undefined
  readonly campaign?: string | undefined
  readonly segmentation?: string | undefined
  readonly company_name?: string | undefined
  readonly address_1?: string | undefined
  readonly address_2?: string | undefined
  readonly swish_number?: string | undefined
  readonly vipps_number?: string | undefined
  /** At most 255 characters, 256 for an invoice. */
  readonly email?: string | undefined
  readonly phone_prefix?: string | undefined
  readonly state_or_province?: string | undefined
  readonly gender?: string | undefined
}

export interface PageQuery {
  /** Number of rows on the page; a larger number counts as 1000. A page ends earlier at 16 MB, as Content-Range shows. */
  readonly limit?: number | undefined
  /** Number of rows to skip. */
  readonly offset?: number | undefined
  /** Lists rows from this id on: upwards, or downwards if the order is descending. 0 has no effect. */
  readonly start_id?: number | undefined
  /** A filterable field, optionally with `:asc` or `:desc` in upper or lower case. */
  readonly order_by?: string | undefined
}

export interface TransactionFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly amount?: string | undefined
        readonly card_holder?: string | undefined
        readonly card_number?: string | undefined
        readonly card_type?: string | undefined
        readonly created_at?: string | undefined
        readonly currency?: string | undefined
        readonly customer_id?: string | undefined
        readonly error_url?: string | undefined
        readonly href_token?: string | undefined
        readonly id?: string | undefined
        readonly payment_ref?: string | undefined
        readonly status?: string | undefined
        readonly stored_card_id?: string | undefined
        readonly subscription_id?: string | undefined
        readonly success_url?: string | undefined
        readonly template_id?: string | undefined
        readonly test?: string | undefined
        readonly transaction_type?: string | undefined
        readonly updated_at?: string | undefined
      }
    | undefined
}

export interface ExtendLocaleQuery {
  /** Names of related objects, separated by commas, to include in full instead of by id. An included transaction has an empty list of refunds. */
  readonly extend?: string | undefined
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Id of the merchant that receives the payment. */
  readonly merchant_id: number
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface RefundFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly amount?: string | undefined
        readonly created_at?: string | undefined
        readonly id?: string | undefined
        readonly reason?: string | undefined
        readonly transaction_id?: string | undefined
      }
    | undefined
}

export interface StoredCardFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly card_holder?: string | undefined
        readonly card_number?: string | undefined
        readonly card_type?: string | undefined
        readonly created_at?: string | undefined
        readonly currency?: string | undefined
        readonly customer_id?: string | undefined
        readonly expires?: string | undefined
        readonly id?: string | undefined
        readonly status?: string | undefined
        readonly test?: string | undefined
        readonly token?: string | undefined
        readonly updated_at?: string | undefined
      }
    | undefined
}

export interface CustomerFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly created_at?: string | undefined
        readonly id?: string | undefined
        readonly ref?: string | undefined
        readonly updated_at?: string | undefined
      }
    | undefined
}

export interface LocaleQuery {
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface SubscriptionFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly created_at?: string | undefined
        readonly customer_id?: string | undefined
        readonly id?: string | undefined
        readonly next_at?: string | undefined
        readonly plan_id?: string | undefined
        readonly price?: string | undefined
        readonly status?: string | undefined
        readonly stored_card_id?: string | undefined
        readonly updated_at?: string | undefined
      }
    | undefined
}

export interface PlanFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly created_at?: string | undefined
        readonly id?: string | undefined
        readonly interval?: string | undefined
        readonly interval_unit?: string | undefined
        readonly name?: string | undefined
        readonly periods?: string | undefined
        readonly status?: string | undefined
        readonly trial_length?: string | undefined
        readonly updated_at?: string | undefined
      }
    | undefined
}

export interface WebhookFilter {
  /** A transaction must match all conditions. */
  readonly filter?:
    | {
        readonly created_at?: string | undefined
        readonly data_format?: string | undefined
        readonly email?: string | undefined
        readonly http_method?: string | undefined
        readonly id?: string | undefined
        readonly transaction_id?: string | undefined
        readonly trigger?: string | undefined
        readonly type?: string | undefined
        readonly url?: string | undefined
      }
    | undefined
}

export interface LocaleLangQuery {
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, if locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
}

export interface ShowPaymentPageQuery {
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, if locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
  /** The payment method that is open at first, out of the methods of the page. */
  readonly 'payment.selected'?: string | undefined
  /** The plan that is selected at first, out of the plans of the page. */
  readonly plan?: string | undefined
  /** Shows the built-in page instead of the merchant's page template. */
  readonly template?: 'none' | undefined
  /** Set to show the message that a stored card has been removed. */
  readonly removed?: 'card' | undefined
}

export interface SubmitPaymentPageQuery {
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, if locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
  /** The payment method that is open at first, out of the methods of the page. */
  readonly 'payment.selected'?: string | undefined
  /** Shows the built-in page instead of the merchant's page template. */
  readonly template?: 'none' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Id of the merchant of the order. */
  readonly merchant_id: number
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface FindAddressQuery {
  /** The last part of the transaction's href. */
  readonly token: string
  readonly transaction_id: number
  readonly merchant_id: number
  /** A personal number. A Swedish number can omit the century. */
  readonly ssn: string
  readonly country: 'SWE' | 'NOR' | 'FIN'
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Id of the merchant whose public key encrypts the card data. */
  readonly merchant_id: number
  /** Language of error descriptions. Any value except en is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface QQuery {
  /** Search words. */
  readonly q?: string | undefined
}

/** Every call of the contract, under its operationId. */
export interface Calls {
  /** Lists transactions, the newest first. */
  listTransactions(
    parameters?: PageQuery & TransactionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Transaction>

  /** Creates a transaction and, unless process is false, pays it. */
  createTransaction(
    parameters: NewTransaction & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Transaction>

  /** Reads a transaction. */
  getTransaction(
    id: number,
    parameters?: ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Transaction>

  /** Changes a transaction and, unless process is false, pays it. */
  updateTransaction(
    id: number,
    parameters?: TransactionChanges & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Transaction>

  /** Captures a reserved amount, in full or in part. */
  captureTransaction(
    id: number,
    parameters: NewCapture & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Transaction>

  /** Returns the result of a payment whose answer was lost. */
  getAttempt(
    attempt: string,
    parameters: MerchantIdLocaleQuery,
    options?: CallOptions,
  ): Promise<
    | {
        readonly state: 'unknown'
      }
    | {
        readonly state: 'done'
        readonly transaction: Transaction
      }
    | {
        readonly state: 'done'
        readonly error: ApiError
      }
  >

  /** Lists refunds, the newest first. */
  listRefunds(
    parameters?: PageQuery & RefundFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Refund>

  /** Refunds a payment, or releases a reservation. */
  createRefund(parameters: NewRefund & ExtendLocaleQuery, options?: CallOptions): Promise<Refund>

  /** Reads a refund. */
  getRefund(id: number, parameters?: ExtendLocaleQuery, options?: CallOptions): Promise<Refund>

  /** Lists stored cards, the newest first. */
  listStoredCards(
    parameters?: PageQuery & StoredCardFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<StoredCard>

  /** Stores a card without a payment. */
  createStoredCard(
    parameters: NewStoredCard & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<StoredCard>

  /** Reads a stored card. */
  getStoredCard(
    id: number,
    parameters?: ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<StoredCard>

  /** Changes status, holder, expiry, customer or use of a stored card. */
  updateStoredCard(
    id: number,
    parameters?: StoredCardChanges & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<StoredCard>

  /** Cancels a stored card; you can still read it. */
  cancelStoredCard(
    id: number,
    parameters?: ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<StoredCard>

  /** Lists customers, the newest first. */
  listCustomers(
    parameters?: PageQuery & CustomerFilter & LocaleQuery,
    options?: CallOptions,
  ): List<Customer>

  /** Creates a customer; all fields are optional. */
  createCustomer(
    parameters?: CustomerChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Customer>

  /** Reads a customer. */
  getCustomer(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Customer>

  /** Changes a customer; new metadata is merged with the stored metadata. */
  updateCustomer(
    id: number,
    parameters?: CustomerChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Customer>

  /** Deletes a customer; transactions and stored cards remain. */
  deleteCustomer(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Customer>

  /** Lists the transactions of a customer. */
  listTransactionsOfCustomer(
    id: number,
    parameters?: PageQuery & TransactionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Transaction>

  /** Lists the stored cards of a customer. */
  listStoredCardsOfCustomer(
    id: number,
    parameters?: PageQuery & StoredCardFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<StoredCard>

  /** Lists the subscriptions of a customer. */
  listSubscriptionsOfCustomer(
    id: number,
    parameters?: PageQuery & SubscriptionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Subscription>

  /** Lists plans, the newest first. */
  listPlans(parameters?: PageQuery & PlanFilter & LocaleQuery, options?: CallOptions): List<Plan>

  /** Creates a plan. */
  createPlan(parameters: NewPlan & LocaleQuery, options?: CallOptions): Promise<Plan>

  /** Reads a plan. */
  getPlan(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Plan>

  /** Changes a plan; existing subscriptions keep their terms. */
  updatePlan(
    id: number,
    parameters?: PlanChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Plan>

  /** Cancels a plan; it accepts no new subscriptions. */
  cancelPlan(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Plan>

  /** Lists subscriptions, the newest first. */
  listSubscriptions(
    parameters?: PageQuery & SubscriptionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Subscription>

  /** Starts a subscription with a stored card, in the currency of the card. */
  createSubscription(
    parameters: NewSubscription & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Subscription>

  /** Reads a subscription. */
  getSubscription(
    id: number,
    parameters?: ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Subscription>

  /** Changes or cancels a subscription; new metadata is merged with the stored metadata. */
  updateSubscription(
    id: number,
    parameters?: SubscriptionChanges & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Subscription>

  /** Cancels a subscription; you can still read it. */
  cancelSubscription(
    id: number,
    parameters?: ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Subscription>

  /** Lists the transactions of a subscription. */
  listTransactionsOfSubscription(
    id: number,
    parameters?: PageQuery & TransactionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Transaction>

  /** Lists webhooks, the newest first. */
  listWebhooks(
    parameters?: PageQuery & WebhookFilter & LocaleQuery,
    options?: CallOptions,
  ): List<Webhook>

  /** Reads a webhook. */
  getWebhook(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Webhook>

  /** Accepts the payer's form, with or without card data. */
  submitForm(
    parameters: NewTransaction & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Shows the page where the payer pays, or the receipt of a finished payment. */
  showPaymentPage(
    token: string,
    parameters?: ShowPaymentPageQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Pays with a form of the page, answers in the simulated app or bank, cancels, or extends the time to pay. */
  submitPaymentPage(
    token: string,
    parameters: TypedCard & SubmitPaymentPageQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Authenticates the payer of an order with 3-D Secure, in a window of the browser library. */
  authenticateOrder(
    parameters: AuthenticatedOrder & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Returns the state of an authentication to the page. */
  getAuthentication(
    nonce: string,
    parameters: MerchantIdLocaleQuery,
    options?: CallOptions,
  ): Promise<Authentication>

  /** Cancels an authentication that the payer has abandoned; a finished authentication does not change. */
  cancelAuthentication(
    nonce: string,
    parameters: MerchantIdLocaleQuery,
    options?: CallOptions,
  ): Promise<Authentication>

  /** Redirects the payer of a transaction to the bank that asks for a challenge, or to the result. */
  goToBank(token: string, parameters?: LocaleLangQuery, options?: CallOptions): Promise<PageAnswer>

  /** Shows the challenge of the bank; send Accept: application/json to get it as JSON. */
  showBank(token: string, parameters?: LocaleLangQuery, options?: CallOptions): Promise<Bank>

  /** Answers a challenge with a code, or with a result that a test chooses. */
  answerBank(
    token: string,
    parameters?: BankAction & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<Bank>

  /** Shows the simulated app, which answers some kinds of challenge. */
  showAppOfBank(
    token: string,
    parameters?: LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Reports that a payer has opened or left the bank's page. */
  notePageOfBank(
    token: string,
    parameters?: {
      /** A name that the page chose for itself. */
      readonly page?: string | undefined
      /** true: the payer has left the page. */
      readonly left?: boolean | undefined
    } & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<string>

  /** Returns a style sheet, script or picture of the pages. */
  getAsset(file: string, options?: CallOptions): Promise<string>

  /** Finds name and address by personal number, for an invoice. */
  findAddress(parameters: FindAddressQuery, options?: CallOptions): Promise<FoundAddress>

  /** The browser library with the merchant's public key. */
  getLibrary(parameters: MerchantIdLocaleQuery, options?: CallOptions): Promise<string>

  /** Messages of the library for shop developers. */
  getLibraryAdvice(parameters?: LocaleQuery, options?: CallOptions): Promise<string>

  /** The browser library of one version, for a tag with integrity. */
  getVersionedLibrary(
    version: string,
    parameters?: LocaleQuery,
    options?: CallOptions,
  ): Promise<string>

  /** Returns this document as JSON, with the addresses of this gateway. */
  getContract(options?: CallOptions): Promise<Metadata>

  /** Returns the OpenAPI document of the control API, which only a sandbox has. */
  getControlContract(options?: CallOptions): Promise<Metadata>

  /** Shows the first page of the documentation. */
  readContract(options?: CallOptions): Promise<PageAnswer>

  /** Shows a guide; add .md for Markdown. */
  readDocument(document: string, options?: CallOptions): Promise<PageAnswer>

  /** Shows the page of one call, object or error; add .md for Markdown. */
  readReference(
    kind: 'calls' | 'objects' | 'errors',
    name: string,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Searches the documentation and shows the parts that have all words. */
  searchDocumentation(parameters?: QQuery, options?: CallOptions): Promise<PageAnswer>

  /** Returns all pages of the documentation as Markdown, for programs. */
  readDocumentList(options?: CallOptions): Promise<string>

  /** Reports whether the gateway and its database respond. */
  getHealth(options?: CallOptions): Promise<{
    readonly status: 'ok'
    /** Version of the package. */
    readonly version: string
    readonly database: 'sqlite' | 'postgres'
  }>

  /** Reports whether this gateway accepts requests, for load balancers. */
  getReadiness(options?: CallOptions): Promise<string>

  /** Returns metrics of requests, webhooks, event loop and database in the text format of Prometheus. */
  getMetrics(options?: CallOptions): Promise<string>
}

/** Method, server, path and kind of answer of each call. */
// biome-ignore format: one line for each call
export const CALLS = {
  listTransactions: { method: 'GET', server: 'base', path: '/v1/transactions', answers: 'list' },
  createTransaction: { method: 'POST', server: 'base', path: '/v1/transactions', answers: 'json' },
  getTransaction: { method: 'GET', server: 'base', path: '/v1/transactions/{id}', answers: 'json' },
  updateTransaction: { method: 'PUT', server: 'base', path: '/v1/transactions/{id}', answers: 'json' },
  captureTransaction: { method: 'PUT', server: 'base', path: '/v1/transactions/{id}/capture', answers: 'json' },
  getAttempt: { method: 'GET', server: 'base', path: '/v1/attempts/{attempt}', answers: 'json' },
  listRefunds: { method: 'GET', server: 'base', path: '/v1/refunds', answers: 'list' },
  createRefund: { method: 'POST', server: 'base', path: '/v1/refunds', answers: 'json' },
  getRefund: { method: 'GET', server: 'base', path: '/v1/refunds/{id}', answers: 'json' },
  listStoredCards: { method: 'GET', server: 'base', path: '/v1/stored_cards', answers: 'list' },
  createStoredCard: { method: 'POST', server: 'base', path: '/v1/stored_cards', answers: 'json' },
  getStoredCard: { method: 'GET', server: 'base', path: '/v1/stored_cards/{id}', answers: 'json' },
  updateStoredCard: { method: 'PUT', server: 'base', path: '/v1/stored_cards/{id}', answers: 'json' },
  cancelStoredCard: { method: 'DELETE', server: 'base', path: '/v1/stored_cards/{id}', answers: 'json' },
  listCustomers: { method: 'GET', server: 'base', path: '/v1/customers', answers: 'list' },
  createCustomer: { method: 'POST', server: 'base', path: '/v1/customers', answers: 'json' },
  getCustomer: { method: 'GET', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  updateCustomer: { method: 'PUT', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  deleteCustomer: { method: 'DELETE', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  listTransactionsOfCustomer: { method: 'GET', server: 'base', path: '/v1/customers/{id}/transactions', answers: 'list' },
  listStoredCardsOfCustomer: { method: 'GET', server: 'base', path: '/v1/customers/{id}/stored_cards', answers: 'list' },
  listSubscriptionsOfCustomer: { method: 'GET', server: 'base', path: '/v1/customers/{id}/subscriptions', answers: 'list' },
  listPlans: { method: 'GET', server: 'base', path: '/v1/plans', answers: 'list' },
  createPlan: { method: 'POST', server: 'base', path: '/v1/plans', answers: 'json' },
  getPlan: { method: 'GET', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  updatePlan: { method: 'PUT', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  cancelPlan: { method: 'DELETE', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  listSubscriptions: { method: 'GET', server: 'base', path: '/v1/subscriptions', answers: 'list' },
  createSubscription: { method: 'POST', server: 'base', path: '/v1/subscriptions', answers: 'json' },
  getSubscription: { method: 'GET', server: 'base', path: '/v1/subscriptions/{id}', answers: 'json' },
  updateSubscription: { method: 'PUT', server: 'base', path: '/v1/subscriptions/{id}', answers: 'json' },
  cancelSubscription: { method: 'DELETE', server: 'base', path: '/v1/subscriptions/{id}', answers: 'json' },
  listTransactionsOfSubscription: { method: 'GET', server: 'base', path: '/v1/subscription/{id}/transactions', answers: 'list' },
  listWebhooks: { method: 'GET', server: 'base', path: '/v1/webhooks', answers: 'list' },
  getWebhook: { method: 'GET', server: 'base', path: '/v1/webhooks/{id}', answers: 'json' },
  submitForm: { method: 'POST', server: 'pay', path: '/v1/form', answers: 'page' },
  showPaymentPage: { method: 'GET', server: 'pay', path: '/v1/form/{token}', answers: 'page' },
  submitPaymentPage: { method: 'POST', server: 'pay', path: '/v1/form/{token}', answers: 'page' },
  authenticateOrder: { method: 'POST', server: 'pay', path: '/v1/mpi_js', answers: 'page' },
  getAuthentication: { method: 'GET', server: 'pay', path: '/v1/mpi_js/{nonce}', answers: 'json' },
  cancelAuthentication: { method: 'POST', server: 'pay', path: '/v1/mpi_js/{nonce}/cancel', answers: 'json' },
  goToBank: { method: 'GET', server: 'pay', path: '/v1/acs/payment/{token}', answers: 'page' },
  showBank: { method: 'GET', server: 'pay', path: '/v1/acs/{token}', answers: 'json' },
  answerBank: { method: 'POST', server: 'pay', path: '/v1/acs/{token}', answers: 'json' },
  showAppOfBank: { method: 'GET', server: 'pay', path: '/v1/acs/{token}/app', answers: 'page' },
  notePageOfBank: { method: 'POST', server: 'pay', path: '/v1/acs/{token}/page', answers: 'text' },
  getAsset: { method: 'GET', server: 'pay', path: '/assets/{file}', answers: 'text', takes: false },
  findAddress: { method: 'GET', server: 'pay', path: '/v1/ssn', answers: 'json' },
  getLibrary: { method: 'GET', server: 'cdn', path: '/v2/mondido.js', answers: 'text' },
  getLibraryAdvice: { method: 'GET', server: 'cdn', path: '/v2/mondido-advice.js', answers: 'text' },
  getVersionedLibrary: { method: 'GET', server: 'cdn', path: '/v2/mondido-{version}.js', answers: 'text' },
  getContract: { method: 'GET', server: 'base', path: '/openapi.json', answers: 'json', takes: false },
  getControlContract: { method: 'GET', server: 'base', path: '/openapi-control.json', answers: 'json', takes: false },
  readContract: { method: 'GET', server: 'base', path: '/docs', answers: 'page', takes: false },
  readDocument: { method: 'GET', server: 'base', path: '/docs/{document}', answers: 'page', takes: false },
  readReference: { method: 'GET', server: 'base', path: '/docs/{kind}/{name}', answers: 'page', takes: false },
  searchDocumentation: { method: 'GET', server: 'base', path: '/docs/search', answers: 'page' },
  readDocumentList: { method: 'GET', server: 'base', path: '/llms.txt', answers: 'text', takes: false },
  getHealth: { method: 'GET', server: 'base', path: '/health', answers: 'json', takes: false },
  getReadiness: { method: 'GET', server: 'base', path: '/ready', answers: 'text', takes: false },
  getMetrics: { method: 'GET', server: 'base', path: '/metrics', answers: 'text', takes: false },
} as const satisfies Readonly<Record<keyof Calls, CallRow>>
