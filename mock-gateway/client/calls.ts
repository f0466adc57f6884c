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
  /**
   * Digits, a dot, two digits. A bad format is refused when paying, 0.00 too unless a card pays for
   * a plan.
   */
  readonly amount: string
  readonly currency: string
  /** The merchant's order id. It is paid once: any number of unpaid transactions may carry it. */
  readonly payment_ref: string
  /** Needed without a login, else it must be the merchant itself. */
  readonly merchant_id?: number | undefined
  /**
   * Where the payer goes after paying; needed when the payer finishes at href. Liquid is allowed
   * after the host.
   */
  readonly success_url?: string | undefined
  /** Where the payer goes when it did not work; needed when the payer finishes at href. */
  readonly error_url?: string | undefined
  readonly webhook?: SentWebhook | readonly SentWebhook[] | undefined
  readonly webhooks?: SentWebhook | readonly SentWebhook[] | undefined
  /** The page of its own that the merchant shows at href; 103 when it has none such. */
  readonly template_id?: number | undefined
  /** What a page asks /v1/attempts for later. */
  readonly mondido_attempt?: string | undefined
  /** The mpi_ref of 3-D Secure, as the window told it. */
  readonly ref?: string | undefined
  /** As the window told it. May be left out: `ref` alone proves the authentication. */
  readonly eci?: string | undefined
  /** As the window told it. */
  readonly provider_ref?: string | undefined
}

export interface TransactionChanges extends Order, Card {
  /** Must be the merchant itself. */
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
  /** The number, blanks allowed, or the token of a stored card. */
  readonly card_number: string
  readonly card_holder: string
  readonly card_cvv: string
  readonly card_expiry: string
  /** A known type of card such as VISA, not STORED_CARD; which one, the number tells. */
  readonly card_type: string
  readonly currency: string
  /** true for test card numbers, and only for them. */
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
  /** The merchant's id of the payer, used once. */
  readonly ref?: string | undefined
  /** The same. */
  readonly customer_ref?: string | undefined
  /** What else the merchant keeps of the payer. A change is merged into what is there. */
  readonly metadata?: Metadata | undefined
  readonly encrypted?: string | undefined
}

export interface NewPlan extends PlanTerms {
  /** What the plan is called. */
  readonly name: string
  /** A period lasts this many days (at most 366) or months (at most 36). */
  readonly interval: number
  /** What a period is counted in. */
  readonly interval_unit: 'days' | 'months'
  /** What a period costs in each currency. A change replaces all of them. */
  readonly prices: { readonly [key: string]: string | number }
}

export interface PlanChanges extends PlanTerms {
  /** A cancelled plan takes no new subscriptions. */
  readonly status?: 'active' | 'cancelled' | undefined
}

export interface NewSubscription extends SubscriptionTerms {
  readonly plan_id: number
  /**
   * The card to charge; or name the customer, whose newest active card in a currency of the plan is
   * charged.
   */
  readonly stored_card_id?: number | undefined
  /** A customer that exists; the card must be theirs. */
  readonly customer_id?: number | undefined
  /** The same by the merchant's id of the payer. */
  readonly customer_ref?: string | undefined
  readonly currency?: string | undefined
  /** true: a card that was stored with test=true, false: one that was not. */
  readonly test?: boolean | undefined
  readonly start_date?: string | undefined
  readonly subscription_items?: readonly SentItem[] | undefined
}

export interface SubscriptionChanges extends SubscriptionTerms {
  /** cancelled stops it. */
  readonly status?: 'active' | 'cancelled' | undefined
  /** The card to charge from now on; failures are counted anew. */
  readonly stored_card_id?: number | undefined
  /** Added to the next charge; below zero it is subtracted. */
  readonly debt?: string | undefined
}

/** A card as the payer types it, or what else the payer does on the page. */
export interface TypedCard {
  /** Blanks are allowed. */
  readonly card_number?: string | undefined
  readonly card_holder?: string | undefined
  /** MMYY, and what people and autofill write: 1/30, 01 / 2030, 2030-01. */
  readonly card_expiry?: string | undefined
  readonly card_cvv?: string | undefined
  /** With expYY instead of card_expiry, as old templates have it. */
  readonly expMM?: string | undefined
  /** See expMM. */
  readonly expYY?: string | undefined
  /** What the page showed, from its form: 203 when the merchant has changed the order since. */
  readonly version?: string | undefined
  /**
   * cancel leads to error_url with errors.payment.canceled; extend gives the page all its time once
   * more; answer is the payer's in the simulated app or bank; back is another method; remove_card
   * removes the stored_card.
   */
  readonly action?: 'pay' | 'cancel' | 'extend' | 'answer' | 'back' | 'remove_card' | undefined
  /** Of an invoice: whether the address was asked too, since no register knows it. */
  readonly step?: 'payer' | 'address' | undefined
  /**
   * Of Swish and PayPal approved, declined, canceled, timeout or failed; of a bank also
   * insufficient_funds, account_declined, account_not_found, disabled_user and
   * deposit_not_captured.
   */
  readonly answer?: string | undefined
  /** Whose form it is: the name of a payment method. */
  readonly payment_method?: string | undefined
  /** In test mode: the wallet that pays, one that the page offers. */
  readonly wallet_type?: 'apple_pay' | 'google_pay' | undefined
  /** Which of its simulated cards. */
  readonly wallet_card?: 'visa' | 'mastercard' | 'declined' | undefined
  /** The same as old pages send it. */
  readonly swish?: '1' | undefined
  /** See swish. */
  readonly paypal?: '1' | undefined
  /** See swish; means bank. */
  readonly trustly?: '1' | undefined
  /** See swish; means credit_card. */
  readonly masterpass?: '1' | undefined
  /** A Swedish phone number. */
  readonly swish_number?: string | undefined
  /** The id of one of the customer's stored cards that the page offers. */
  readonly stored_card?: string | undefined
  /** true: the card is stored, where the page offers it. */
  readonly store_card?: boolean | undefined
  /** One of the plans that the page offers. */
  readonly plan_id?: string | undefined
  /** Inputs named metadata["newsletter"] or metadata[newsletter]; a ticked box is true. */
  readonly metadata?: Metadata | undefined
  readonly email?: string | undefined
  readonly phone?: string | undefined
  /** Of an invoice. */
  readonly personal_number?: string | undefined
  /** The same under its old name. */
  readonly ssn?: string | undefined
  readonly first_name?: string | undefined
  readonly last_name?: string | undefined
  readonly company_name?: string | undefined
  readonly address_1?: string | undefined
  readonly address_2?: string | undefined
  readonly zip?: string | undefined
  readonly city?: string | undefined
  /** Three letters. */
  readonly country_code?: string | undefined
  readonly segmentation?: 'b2c' | 'b2b' | undefined
  readonly campaign?: string | undefined
}

export interface AuthenticatedOrder extends NewTransaction {
  /** The page's id of the authentication, to ask for it; 32 hexadecimal digits. */
  readonly mpi_nonce?: string | undefined
}

export interface Authentication {
  readonly event: 'mpi'
  readonly status: 'pending' | 'done'
  /** Null while it is pending. */
  readonly success: boolean | null
  readonly mpi_ref: string | null
  readonly eci: string | null
  readonly provider_ref: string | null
  readonly nonce: string | null
  /** Name of an error of the catalogue. */
  readonly error: string | null
  /**
   * Whether a page of the bank is before the payer. A window that looks closed from the page may
   * not be.
   */
  readonly at_bank: boolean
}

export interface Bank {
  readonly state: 'open' | 'waiting' | 'answered' | 'ended'
  readonly merchant: string
  /** As it was sent. */
  readonly amount: string
  readonly currency: string
  /** The amount as people write it. */
  readonly price: string
  readonly date: string
  /** First six and last four digits. */
  readonly card_number: string
  /** How the bank asks. */
  readonly question: 'code' | 'app' | 'choice' | 'choices' | 'bankid'
  /** Where the question stands. */
  readonly step: string
  /** What can be answered at this step, and what it gives. */
  readonly answers: readonly {
    readonly name: string
    /** right, wrong (one try less), N (refused at once) or the next step. */
    readonly gives: string
  }[]
  /** The right one. */
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
  /** Where cres is posted. */
  readonly return_url?: string | undefined
  /** The bank's signed answer. */
  readonly cres?: string | undefined
  /** Where the payer goes on once it has ended. */
  readonly continue_url?: string | undefined
}

export interface BankAction {
  /**
   * code sends the code, answer any other answer, app the same from the app, result chooses a
   * result, case one of docs/reference/test-cards.md.
   */
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
  /** 1234 is right; 0000 and the third wrong one fail. */
  readonly code?: string | undefined
  /**
   * One of answers, or several as cafe,train or as keys; cancel and timeout answer any question.
   */
  readonly answer?: string | Metadata | undefined
  /** An outcome by the number of its test card. */
  readonly case?: number | undefined
  /** What a test wants to come of it. */
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
  /** The transaction that is about to be paid. */
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
  /** The merchant's order id. It is paid once: any number of unpaid transactions may carry it. */
  readonly payment_ref?: string | undefined
  /** The same under its old name. */
  readonly order_id?: string | undefined
  /** true: no money, test card numbers only. */
  readonly test?: boolean | undefined
  /** true reserves the amount; capture it later. */
  readonly authorize?: boolean | undefined
  /**
   * true: the card is kept; stored_card stays null when that did not work. In test mode the
   * fail_as_code errors.stored_card.store.declined of metadata.service_instructions makes only that
   * fail.
   */
  readonly store_card?: boolean | undefined
  /**
   * Digits, a dot, two digits. A bad format is refused when paying, 0.00 too unless a card pays for
   * a plan.
   */
  readonly amount?: string | undefined
  /** How much of it is tax, in any plain spelling. */
  readonly vat_amount?: string | undefined
  readonly currency?: string | undefined
  /** The merchant's id of the payer. */
  readonly customer_ref?: string | undefined
  /**
   * MD5 in hexadecimal of merchant_id, payment_ref, customer_ref, amount, currency in lower case,
   * the word test when test is true, and the merchant's secret, written one after another.
   */
  readonly hash?: string | undefined
  /** The basket; an invoice needs it. */
  readonly items?: readonly SentItem[] | undefined
  /** Anything the merchant wants to keep, at most 65,536 characters of JSON. */
  readonly metadata?: Metadata | undefined
  readonly payment_details?: SentPaymentDetails | undefined
  /** Anything else counts as credit_card. */
  readonly payment_method?: 'credit_card' | 'invoice' | 'swish' | 'paypal' | 'bank' | undefined
  /** Swedish phone number of the payer; needed to process a swish payment. */
  readonly swish_number?: string | undefined
  /**
   * The plan that the payer subscribes to by paying with a card, which is stored. Without a stored
   * card there is nothing to charge again: subscription stays null. A payment of 0.00 pays no
   * period.
   */
  readonly plan_id?: number | undefined
  readonly start_date?: string | undefined
  readonly subscription_quantity?: number | undefined
  readonly subscription_items?: readonly SentItem[] | undefined
  /** false: nothing is paid now. */
  readonly process?: boolean | undefined
}

/** The card of a payment; the token of a stored card with card_type STORED_CARD needs no more. */
export interface Card {
  /** The number, blanks allowed, or the token of a stored card. */
  readonly card_number?: string | undefined
  readonly card_holder?: string | undefined
  readonly card_expiry?: string | undefined
  readonly card_cvv?: string | undefined
  /** VISA and so on, or STORED_CARD. */
  readonly card_type?: string | undefined
  readonly encrypted?: string | undefined
}

export interface SentWebhook {
  /**
   * The event, in any case of letters; before_payment asks before the bank is asked, and needs a
   * url. Other names are taken, and never fire.
   */
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
  /**
   * CustomHttp needs a url, Email an email, in any case of letters; receipt is a mail to the payer,
   * or to its email. Of any other type, and of none, what it brings decides, a url before an email.
   */
  readonly type?: string | undefined
  /** Target of an HTTP webhook. */
  readonly url?: string | undefined
  readonly http_method?: 'post' | 'get' | undefined
  readonly data_format?: 'json' | 'form_data' | 'xml' | undefined
  /** Address of an e-mail webhook. */
  readonly email?: string | undefined
}

export interface NamedCustomer {
  /** The merchant's id of the payer, who is made when new. */
  readonly customer_ref?: string | undefined
  /** A customer that exists. */
  readonly customer_id?: number | undefined
}

export interface PlanTerms {
  /** What the plan is called. */
  readonly name?: string | undefined
  /** What the payer gets. */
  readonly description?: string | undefined
  /** A period lasts this many days (at most 366) or months (at most 36). */
  readonly interval?: number | undefined
  /** What a period is counted in. */
  readonly interval_unit?: 'days' | 'months' | undefined
  /** What a period costs in each currency. A change replaces all of them. */
  readonly prices?: { readonly [key: string]: string | number } | undefined
  /**
   * Charged once: with the first charge, and owed as debt until then; not where a payment of more
   * than 0.00 begins the subscription, whose amount has it.
   */
  readonly setup_fees?: { readonly [key: string]: string | number } | undefined
  /** Periods until a subscription ends; 0 is for ever. */
  readonly periods?: number | undefined
  /** Days before the first charge. */
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

/** Further keys are kept. */
export interface SentItem {
  /** Article number; a longer one is refused with 315. */
  readonly artno?: string | undefined
  readonly description?: string | undefined
  /** What all units cost together. */
  readonly amount?: number | string | undefined
  /** How many. */
  readonly qty?: string | number | undefined
  /** Rate of the tax, not checked. */
  readonly vat?: string | number | undefined
  /** Not checked. */
  readonly discount?: string | number | undefined
  readonly notes?: string | undefined
}

/** What is known of the payer; card_number, card_holder and card_type follow from the card. */
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
  /** At most 255 characters, in an invoice 256. */
  readonly email?: string | undefined
  readonly phone_prefix?: string | undefined
  readonly state_or_province?: string | undefined
  readonly gender?: string | undefined
}

export interface PageQuery {
  /**
   * Rows of the page; a larger number counts as 1000. A page of 16 MB ends earlier, as
   * Content-Range says.
   */
  readonly limit?: number | undefined
  /** Rows to skip. */
  readonly offset?: number | undefined
  /**
   * Rows with ids from it on: upwards, or downwards when the order is descending, by whatever
   * field; 0 is none.
   */
  readonly start_id?: number | undefined
  /** One of the fields that can be filtered, then nothing or `:asc` or `:desc` in any case. */
  readonly order_by?: string | undefined
}

export interface TransactionFilter {
  /** All conditions must hold. */
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
  /**
   * References to answer in full instead of by id, separated by commas. A transaction that is
   * brought along has empty lists of refunds.
   */
  readonly extend?: string | undefined
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Whose payment it was. */
  readonly merchant_id: number
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface RefundFilter {
  /** All conditions must hold. */
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
  /** All conditions must hold. */
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
  /** All conditions must hold. */
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
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface SubscriptionFilter {
  /** All conditions must hold. */
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
  /** All conditions must hold. */
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
  /** All conditions must hold. */
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
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, when locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
}

export interface ShowPaymentPageQuery {
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, when locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
  /** The method that the page opens with, one that it offers. */
  readonly 'payment.selected'?: string | undefined
  /** The plan that is chosen at first, one that the page offers. */
  readonly plan?: string | undefined
  /** The built-in page in the place of the one that the merchant wrote. */
  readonly template?: 'none' | undefined
  /** That a stored card has been removed, which the page says then. */
  readonly removed?: 'card' | undefined
}

export interface SubmitPaymentPageQuery {
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
  /** Language of the page, when locale is not sent. */
  readonly lang?: 'sv' | 'en' | undefined
  /** The method that the page opens with, one that it offers. */
  readonly 'payment.selected'?: string | undefined
  /** The built-in page in the place of the one that the merchant wrote. */
  readonly template?: 'none' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Whose order it is. */
  readonly merchant_id: number
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface FindAddressQuery {
  /** The end of the transaction's href. */
  readonly token: string
  readonly transaction_id: number
  readonly merchant_id: number
  /** A personal number; a Swedish one may lack its century. */
  readonly ssn: string
  readonly country: 'SWE' | 'NOR' | 'FIN'
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface MerchantIdLocaleQuery {
  /** Whose key the page encrypts with. */
  readonly merchant_id: number
  /** Language of descriptions; anything else is Swedish. */
  readonly locale?: 'sv' | 'en' | undefined
}

export interface QQuery {
  /** Words. */
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

  /** Takes reserved money, all of it or less. */
  captureTransaction(
    id: number,
    parameters: NewCapture & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Transaction>

  /** Tells a page what became of a payment whose answer was lost. */
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

  /** Gives money back, or releases a reservation. */
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

  /** Cancels a stored card; it stays readable. */
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

  /** Creates a customer, with nothing at all if need be. */
  createCustomer(
    parameters?: CustomerChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Customer>

  /** Reads a customer. */
  getCustomer(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Customer>

  /** Changes a customer; new metadata is merged into what is there. */
  updateCustomer(
    id: number,
    parameters?: CustomerChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Customer>

  /** Deletes a customer; transactions and stored cards stay. */
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

  /** Changes a plan; its subscriptions keep the terms they began with. */
  updatePlan(
    id: number,
    parameters?: PlanChanges & LocaleQuery,
    options?: CallOptions,
  ): Promise<Plan>

  /** Cancels a plan; it takes no new subscriptions. */
  cancelPlan(id: number, parameters?: LocaleQuery, options?: CallOptions): Promise<Plan>

  /** Lists subscriptions, the newest first. */
  listSubscriptions(
    parameters?: PageQuery & SubscriptionFilter & ExtendLocaleQuery,
    options?: CallOptions,
  ): List<Subscription>

  /** Begins a subscription on a stored card, in the currency of the card. */
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

  /** Changes or stops a subscription; new metadata is merged into what is there. */
  updateSubscription(
    id: number,
    parameters?: SubscriptionChanges & ExtendLocaleQuery,
    options?: CallOptions,
  ): Promise<Subscription>

  /** Stops a subscription; it stays readable. */
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

  /** Takes the payer's form, with or without card data. */
  submitForm(
    parameters: NewTransaction & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Shows the page where the payer pays, or that the payment is made. */
  showPaymentPage(
    token: string,
    parameters?: ShowPaymentPageQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /**
   * Pays with what was typed in a form of the page, answers in the simulated app or bank, cancels,
   * or asks for more time.
   */
  submitPaymentPage(
    token: string,
    parameters: TypedCard & SubmitPaymentPageQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /**
   * Authenticates the payer of an order that the page will pay, in a window of the browser library.
   */
  authenticateOrder(
    parameters: AuthenticatedOrder & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Tells the page how an authentication stands. */
  getAuthentication(
    nonce: string,
    parameters: MerchantIdLocaleQuery,
    options?: CallOptions,
  ): Promise<Authentication>

  /** Ends an authentication that the payer has given up; one that is done stays as it is. */
  cancelAuthentication(
    nonce: string,
    parameters: MerchantIdLocaleQuery,
    options?: CallOptions,
  ): Promise<Authentication>

  /** Leads the payer of a transaction to the bank that asks for it, or to what came of it. */
  goToBank(token: string, parameters?: LocaleLangQuery, options?: CallOptions): Promise<PageAnswer>

  /** Shows what the bank asks; robots send Accept: application/json and get it as JSON. */
  showBank(token: string, parameters?: LocaleLangQuery, options?: CallOptions): Promise<Bank>

  /** Answers the bank with a code, or with a result that a test chooses. */
  answerBank(
    token: string,
    parameters?: BankAction & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<Bank>

  /** Shows the simulated app, in which some questions are answered. */
  showAppOfBank(
    token: string,
    parameters?: LocaleLangQuery,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** The bank's page says that a payer has come to it, or has left it. */
  notePageOfBank(
    token: string,
    parameters?: {
      /** The name that the page gave itself. */
      readonly page?: string | undefined
      /** true: the payer has left it. */
      readonly left?: boolean | undefined
    } & LocaleLangQuery,
    options?: CallOptions,
  ): Promise<string>

  /** A style sheet, script or picture of the pages, which name it. */
  getAsset(file: string, options?: CallOptions): Promise<string>

  /** Finds the name and address behind a personal number, for an invoice. */
  findAddress(parameters: FindAddressQuery, options?: CallOptions): Promise<FoundAddress>

  /** The browser library with the merchant's public key. */
  getLibrary(parameters: MerchantIdLocaleQuery, options?: CallOptions): Promise<string>

  /** What the library tells whoever builds a page. */
  getLibraryAdvice(parameters?: LocaleQuery, options?: CallOptions): Promise<string>

  /** The browser library of one version, for a tag with integrity. */
  getVersionedLibrary(
    version: string,
    parameters?: LocaleQuery,
    options?: CallOptions,
  ): Promise<string>

  /** This document as JSON, with the addresses of this gateway. */
  getContract(options?: CallOptions): Promise<Metadata>

  /** The document of the control API, which only a sandbox has. */
  getControlContract(options?: CallOptions): Promise<Metadata>

  /** The first page of the documentation. */
  readContract(options?: CallOptions): Promise<PageAnswer>

  /** A guide, or with .md behind its name the same as Markdown. */
  readDocument(document: string, options?: CallOptions): Promise<PageAnswer>

  /**
   * What there is to know of one call, object or error, or with .md behind its name the same as
   * Markdown.
   */
  readReference(
    kind: 'calls' | 'objects' | 'errors',
    name: string,
    options?: CallOptions,
  ): Promise<PageAnswer>

  /** Parts of the documentation that have all of some words. */
  searchDocumentation(parameters?: QQuery, options?: CallOptions): Promise<PageAnswer>

  /** Every page of the documentation as Markdown, for programs that read. */
  readDocumentList(options?: CallOptions): Promise<string>

  /** Whether the gateway and its database answer. */
  getHealth(options?: CallOptions): Promise<{
    readonly status: 'ok'
    /** Of the package */
    readonly version: string
    readonly database: 'sqlite' | 'postgres'
  }>

  /** Whether requests may be sent here, for balancers. */
  getReadiness(options?: CallOptions): Promise<string>

  /** Requests, webhooks, event loop and database in Prometheus' text. */
  getMetrics(options?: CallOptions): Promise<string>
}

/** How each call is made: method, server, path, and what it answers. */
export const CALLS = {
  listTransactions: { method: 'GET', server: 'base', path: '/v1/transactions', answers: 'list' },
  createTransaction: { method: 'POST', server: 'base', path: '/v1/transactions', answers: 'json' },
  getTransaction: { method: 'GET', server: 'base', path: '/v1/transactions/{id}', answers: 'json' },
  updateTransaction: {
    method: 'PUT',
    server: 'base',
    path: '/v1/transactions/{id}',
    answers: 'json',
  },
  captureTransaction: {
    method: 'PUT',
    server: 'base',
    path: '/v1/transactions/{id}/capture',
    answers: 'json',
  },
  getAttempt: { method: 'GET', server: 'base', path: '/v1/attempts/{attempt}', answers: 'json' },
  listRefunds: { method: 'GET', server: 'base', path: '/v1/refunds', answers: 'list' },
  createRefund: { method: 'POST', server: 'base', path: '/v1/refunds', answers: 'json' },
  getRefund: { method: 'GET', server: 'base', path: '/v1/refunds/{id}', answers: 'json' },
  listStoredCards: { method: 'GET', server: 'base', path: '/v1/stored_cards', answers: 'list' },
  createStoredCard: { method: 'POST', server: 'base', path: '/v1/stored_cards', answers: 'json' },
  getStoredCard: { method: 'GET', server: 'base', path: '/v1/stored_cards/{id}', answers: 'json' },
  updateStoredCard: {
    method: 'PUT',
    server: 'base',
    path: '/v1/stored_cards/{id}',
    answers: 'json',
  },
  cancelStoredCard: {
    method: 'DELETE',
    server: 'base',
    path: '/v1/stored_cards/{id}',
    answers: 'json',
  },
  listCustomers: { method: 'GET', server: 'base', path: '/v1/customers', answers: 'list' },
  createCustomer: { method: 'POST', server: 'base', path: '/v1/customers', answers: 'json' },
  getCustomer: { method: 'GET', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  updateCustomer: { method: 'PUT', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  deleteCustomer: { method: 'DELETE', server: 'base', path: '/v1/customers/{id}', answers: 'json' },
  listTransactionsOfCustomer: {
    method: 'GET',
    server: 'base',
    path: '/v1/customers/{id}/transactions',
    answers: 'list',
  },
  listStoredCardsOfCustomer: {
    method: 'GET',
    server: 'base',
    path: '/v1/customers/{id}/stored_cards',
    answers: 'list',
  },
  listSubscriptionsOfCustomer: {
    method: 'GET',
    server: 'base',
    path: '/v1/customers/{id}/subscriptions',
    answers: 'list',
  },
  listPlans: { method: 'GET', server: 'base', path: '/v1/plans', answers: 'list' },
  createPlan: { method: 'POST', server: 'base', path: '/v1/plans', answers: 'json' },
  getPlan: { method: 'GET', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  updatePlan: { method: 'PUT', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  cancelPlan: { method: 'DELETE', server: 'base', path: '/v1/plans/{id}', answers: 'json' },
  listSubscriptions: { method: 'GET', server: 'base', path: '/v1/subscriptions', answers: 'list' },
  createSubscription: {
    method: 'POST',
    server: 'base',
    path: '/v1/subscriptions',
    answers: 'json',
  },
  getSubscription: {
    method: 'GET',
    server: 'base',
    path: '/v1/subscriptions/{id}',
    answers: 'json',
  },
  updateSubscription: {
    method: 'PUT',
    server: 'base',
    path: '/v1/subscriptions/{id}',
    answers: 'json',
  },
  cancelSubscription: {
    method: 'DELETE',
    server: 'base',
    path: '/v1/subscriptions/{id}',
    answers: 'json',
  },
  listTransactionsOfSubscription: {
    method: 'GET',
    server: 'base',
    path: '/v1/subscription/{id}/transactions',
    answers: 'list',
  },
  listWebhooks: { method: 'GET', server: 'base', path: '/v1/webhooks', answers: 'list' },
  getWebhook: { method: 'GET', server: 'base', path: '/v1/webhooks/{id}', answers: 'json' },
  submitForm: { method: 'POST', server: 'pay', path: '/v1/form', answers: 'page' },
  showPaymentPage: { method: 'GET', server: 'pay', path: '/v1/form/{token}', answers: 'page' },
  submitPaymentPage: { method: 'POST', server: 'pay', path: '/v1/form/{token}', answers: 'page' },
  authenticateOrder: { method: 'POST', server: 'pay', path: '/v1/mpi_js', answers: 'page' },
  getAuthentication: { method: 'GET', server: 'pay', path: '/v1/mpi_js/{nonce}', answers: 'json' },
  cancelAuthentication: {
    method: 'POST',
    server: 'pay',
    path: '/v1/mpi_js/{nonce}/cancel',
    answers: 'json',
  },
  goToBank: { method: 'GET', server: 'pay', path: '/v1/acs/payment/{token}', answers: 'page' },
  showBank: { method: 'GET', server: 'pay', path: '/v1/acs/{token}', answers: 'json' },
  answerBank: { method: 'POST', server: 'pay', path: '/v1/acs/{token}', answers: 'json' },
  showAppOfBank: { method: 'GET', server: 'pay', path: '/v1/acs/{token}/app', answers: 'page' },
  notePageOfBank: { method: 'POST', server: 'pay', path: '/v1/acs/{token}/page', answers: 'text' },
  getAsset: { method: 'GET', server: 'pay', path: '/assets/{file}', answers: 'text', takes: false },
  findAddress: { method: 'GET', server: 'pay', path: '/v1/ssn', answers: 'json' },
  getLibrary: { method: 'GET', server: 'cdn', path: '/v2/mondido.js', answers: 'text' },
  getLibraryAdvice: {
    method: 'GET',
    server: 'cdn',
    path: '/v2/mondido-advice.js',
    answers: 'text',
  },
  getVersionedLibrary: {
    method: 'GET',
    server: 'cdn',
    path: '/v2/mondido-{version}.js',
    answers: 'text',
  },
  getContract: {
    method: 'GET',
    server: 'base',
    path: '/openapi.json',
    answers: 'json',
    takes: false,
  },
  getControlContract: {
    method: 'GET',
    server: 'base',
    path: '/openapi-control.json',
    answers: 'json',
    takes: false,
  },
  readContract: { method: 'GET', server: 'base', path: '/docs', answers: 'page', takes: false },
  readDocument: {
    method: 'GET',
    server: 'base',
    path: '/docs/{document}',
    answers: 'page',
    takes: false,
  },
  readReference: {
    method: 'GET',
    server: 'base',
    path: '/docs/{kind}/{name}',
    answers: 'page',
    takes: false,
  },
  searchDocumentation: { method: 'GET', server: 'base', path: '/docs/search', answers: 'page' },
  readDocumentList: {
    method: 'GET',
    server: 'base',
    path: '/llms.txt',
    answers: 'text',
    takes: false,
  },
  getHealth: { method: 'GET', server: 'base', path: '/health', answers: 'json', takes: false },
  getReadiness: { method: 'GET', server: 'base', path: '/ready', answers: 'text', takes: false },
  getMetrics: { method: 'GET', server: 'base', path: '/metrics', answers: 'text', takes: false },
} as const satisfies Readonly<Record<keyof Calls, CallRow>>
