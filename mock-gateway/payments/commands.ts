import { NO_CARD, type SentCard } from '../cards/payment-card.ts'
import type { Item, PaymentMethod } from '../contract/wire.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Currency } from '../domain/money/currencies.ts'
import type { Notice } from '../domain/notices.ts'
import type { SentHash, VerifiedHash } from '../domain/order/request-hash.ts'
import type { Parsed } from '../domain/parsed.ts'
import type { SentPaymentDetails } from '../domain/payer/payment-details.ts'
import type {
  SubscriptionOrder,
  SubscriptionOrderParts,
} from '../domain/subscription/subscription.ts'
import type { WebhookRequest } from '../domain/webhook/request.ts'
import type { ClientFacts, NewTransactionRow } from '../storage/tables/transactions.ts'
import type { PageVersion } from './on-page.ts'

/** A merchant's request to create a transaction (specification: Create transaction). */
export interface CreateTransaction {
  /** As sent: a bad format is rejected only when paying (specification: amount rules). */
  readonly amount: string
  /** Columns that are stored as they were read. */
  readonly stored: Partial<NewTransactionRow>
  readonly currency: Currency
  readonly paymentRef: string
  readonly customerRef: string | undefined
  readonly successUrl: string | undefined
  readonly errorUrl: string | undefined
  readonly test: boolean
  readonly authorize: boolean
  readonly storeCard: boolean
  /** The plan that is subscribed to by paying: the card is stored then, asked for or not. */
  readonly order: SubscriptionOrder | undefined
  /** False: prepared only, the payer finishes at `href`. */
  readonly process: boolean
  readonly paymentMethod: PaymentMethod
  readonly metadata: JsonObject | undefined
  readonly items: readonly Item[] | undefined
  readonly paymentDetails: SentPaymentDetails | undefined
  readonly webhooks: readonly WebhookRequest[]
  readonly templateId: number | undefined
  /** The browser library's id of this attempt. */
  readonly attempt: string | undefined
  /** Empty unless the transaction is paid immediately. */
  readonly card: SentCard
  /** Authentication data from the browser library. */
  readonly authentication: SentAuthentication | undefined
  /** A verified hash; empty if the request has none. */
  readonly hash: string
  /** The request as the transaction shows it. */
  readonly paymentRequest: JsonObject
  readonly client: ClientFacts
  /** The payer sent it from the payment page or a form, not the merchant's server or script. */
  readonly form?: true
  readonly notices: readonly Notice[]
  /** Parts that a payer may have changed, because the hash does not cover them. */
  readonly uncovered: VerifiedHash['uncovered']
  /** The payment link that it is created through. */
  readonly paymentLinkId?: number
}

/** Parts of a transaction without a request: a subscription's charge, or a payment by link. */
export const NOTHING_SENT = {
  stored: {},
  customerRef: undefined,
  successUrl: undefined,
  errorUrl: undefined,
  authorize: false,
  storeCard: false,
  order: undefined,
  metadata: undefined,
  paymentDetails: undefined,
  webhooks: [],
  templateId: undefined,
  attempt: undefined,
  card: NO_CARD,
  authentication: undefined,
  hash: '',
  paymentRequest: {},
  notices: [],
  uncovered: [],
} as const satisfies Partial<CreateTransaction>

/** Parameters with which a page reports that its payer is authenticated (observed: 5). */
export interface SentAuthentication {
  /** Undefined is not sent. */
  readonly ref: string | undefined
  readonly eci: string | undefined
  readonly providerRef: string | undefined
}

/** A request to change a transaction, and possibly pay it (specification: Update transaction). */
export interface UpdateTransaction {
  readonly id: number | undefined
  /** As in `CreateTransaction`. */
  readonly form?: true
  readonly intent: Parsed<{
    /** True when the transaction is paid now. */
    readonly process: boolean
    readonly card: SentCard
  }>
  /** Undefined if the request has no hash: a client that updates has logged in. */
  readonly hashed?: Parsed<SentHash> | undefined
  readonly changes: Parsed<SentChanges>
  /** Names of the request's parameters, for the log. */
  readonly brings: readonly string[]
  /** Set if the payer pays, on the payment page. */
  readonly onPage?: PageVersion
}

/** Undefined: not sent. */
export interface SentChanges {
  readonly paymentRef?: string | undefined
  /** As sent. */
  readonly amount?: string | undefined
  /** Columns that are stored as they were read. */
  readonly stored?: Partial<NewTransactionRow>
  readonly currency?: Currency | undefined
  readonly test?: boolean | undefined
  readonly authorize?: boolean | undefined
  readonly storeCard?: boolean | undefined
  readonly items?: readonly Item[] | undefined
  readonly customerRef?: string | undefined
  readonly metadata?: JsonObject | undefined
  readonly planId?: number | undefined
  /** The order of a plan, as sent; ignored without a plan. */
  readonly order?: Parsed<SubscriptionOrderParts>
  readonly paymentMethod?: PaymentMethod | undefined
  /** Texts of any length: the limits depend on the method that pays. */
  readonly paymentDetails?: SentPaymentDetails | undefined
  /** The request as the transaction shows it after payment. */
  readonly paymentRequest: JsonObject
}

/** Captures an authorized amount, or a part of it (specification: Capture). */
export interface CaptureTransaction {
  readonly id: number | undefined
  /** As sent. */
  readonly amount: string | undefined
}

/** Refunds money (specification: Refunds). */
export interface CreateRefund {
  readonly transactionId: number | undefined
  /** As sent. */
  readonly amount: string | undefined
  readonly reason: string | undefined
  /** The merchant's own. */
  readonly ref: string | undefined
}
