import Bowser from 'bowser'
import { type ClientInfo, FIELDS, type PaymentDetails, type Transaction } from '../contract/wire.ts'
import type { Addresses } from '../domain/addresses.ts'
import { formatCardType } from '../domain/card/card-types.ts'
import { errorBody, getEntryByKey } from '../domain/errors/errors.ts'
import type { Locale } from '../domain/language/languages.ts'
import { memoized } from '../domain/memoized.ts'
import type { Merchant } from '../domain/merchant.ts'
import { calculateCost, DEFAULT_FEES, NO_FEES } from '../domain/money/cost.ts'
import { convertToNumber, formatAmount, hundredths } from '../domain/money/money.ts'
import { type HashedResponse, hashResponse } from '../domain/order/hash.ts'
import { PAYMENT_DETAILS_FIELDS, type SentPaymentDetails } from '../domain/payer/payment-details.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { ClientFacts, TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionRecord } from '../storage/transaction-parts.ts'
import {
  presentCapture,
  presentDynamicWebhooks,
  presentLogEvent,
  presentRefund,
  presentWebhook,
} from './resources.ts'
import { BY_ID, createSerializer, type References } from './serialize.ts'

/** Context of serializers. */
interface PresentationContext {
  readonly merchant: Merchant
  readonly addresses: Addresses
  readonly locale: Locale
}

const serializeTransaction = createSerializer<Transaction, 'transactions'>(
  'transactions',
  FIELDS.Transaction,
)

/**
 * Serializes a transaction for the API, webhooks and templates (specification: Transaction): its
 * columns, and these members.
 */
export function presentTransaction(
  { row, parts }: TransactionRecord,
  { merchant, addresses, locale }: PresentationContext,
  references: References = BY_ID,
): Transaction {
  const error = createApiError(row, locale)
  const details = presentPaymentDetails(row)
  const refunds = parts.refunds.map((refund) => presentRefund(refund))
  const members = {
    amount: presentAmount(row),
    ref: row.customer_ref,
    status_details: row.status_details ?? '',
    fail_message: error?.description ?? '',
    card_type: row.card_type === null ? null : formatCardType(row.card_type),
    error,
    cost: readCost(row, merchant),
    items: row.items ?? [],
    link_payment: row.payment_link_id !== null,
    href: createHref(row, addresses),
    payment_details: details,
    refunds,
    refunds_all: refunds,
    captures: parts.captures.map(presentCapture),
    org_auth_amount: convertToNumber(row.org_auth_amount ?? row.amount ?? NOTHING),
    webhooks: parts.webhooks.map(presentWebhook),
    event_context: {},
    log_events: parts.logEvents.map(presentLogEvent),
    client_info: presentClientInfo(row.client),
    dynamic_webhooks: presentDynamicWebhooks(parts.webhooks),
    customer_name: findCustomerName(details),
    provider_ref: row.provider_ref ?? '',
    response_hash: calculateResponseHash(row, merchant),
  }
  return serializeTransaction(row, members, references)
}

/**
 * Returns the address of the payment page, or of the receipt after payment (specification: href).
 */
export const createHref = (row: TransactionRow, { pay }: Addresses): string =>
  `${pay}/v1/form/${row.href_token}`

/** Returns the parts covered by `response_hash`. */
export const pickHashedResponse = (row: TransactionRow): HashedResponse => ({
  merchantId: String(row.merchant_id),
  paymentRef: row.payment_ref,
  customerRef: row.customer_ref ?? '',
  amount: presentAmount(row),
  currency: row.currency,
  status: row.status,
})

/** Calculates the hash that proves to the merchant that a response is genuine (observed: 3.3). */
export const calculateResponseHash = (row: TransactionRow, merchant: Merchant): string =>
  hashResponse(pickHashedResponse(row), merchant.secret)

/** Formats the amount with two decimals; an amount in a bad format is returned as sent. */
export const presentAmount = (row: TransactionRow) =>
  row.amount === null ? row.amount_text : formatAmount(row.amount)

/** Returns the bank's last error, in the language of the request. */
function createApiError(row: TransactionRow, locale: Locale) {
  const entry = row.error_name === null ? undefined : getEntryByKey(row.error_name)
  return entry ? errorBody(entry, locale, row.error_message ?? undefined) : null
}

/** Only charged or authorized amounts have a cost. */
function readCost(row: TransactionRow, merchant: Merchant) {
  const fees = row.processed_at === null ? NO_FEES : DEFAULT_FEES
  return calculateCost(
    row.id,
    row.amount ?? NOTHING,
    row.currency,
    merchant.settings.account_currency,
    fees,
  )
}

const NOTHING = hundredths(0)

type Browser = Pick<ClientInfo, 'browser' | 'version' | 'platform'>

/**
 * Describes the payer's browser by its user agent (specification: client_info). Unknown platforms
 * and languages are null (our decision), other unknown values are empty.
 */
export function presentClientInfo(client: ClientFacts): ClientInfo {
  return {
    raw_user_agent: client.user_agent,
    ...detectBrowser(client.user_agent),
    ip: client.ip,
    accept_language: client.accept_language || null,
  }
}

const detectBrowser = memoized(500, (userAgent): Browser => {
  if (userAgent === '') return { browser: '', version: '', platform: null }
  const { browser, os } = Bowser.parse(userAgent)
  return { browser: browser.name ?? '', version: browser.version ?? '', platform: os.name ?? null }
})

/** Combines the merchant's payment details with the card's. Null while no detail is known. */
function presentPaymentDetails(row: TransactionRow): PaymentDetails | null {
  if (row.payment_details === null && row.card_number === null) return null
  const ofCard: SentPaymentDetails =
    row.card_number === null || row.card_type === null
      ? {}
      : {
          card_number: row.card_number,
          card_holder: row.card_holder ?? '',
          card_type: formatCardType(row.card_type),
        }
  // Each transaction has its own details, so its id is also theirs.
  return { ...NOTHING_KNOWN, ...row.payment_details, ...ofCard, id: row.id }
}

/** Copied as a whole: eight times faster than setting each member. */
const NOTHING_KNOWN = Object.fromEntries(
  ['id', ...PAYMENT_DETAILS_FIELDS].map((name) => [name, null]),
) as unknown as PaymentDetails

/** Returns the payer's name from the details or the card; empty if neither has it. */
function findCustomerName(details: PaymentDetails | null): string {
  const names = [details?.first_name, details?.last_name].filter((name) => name)
  return names.length > 0 ? names.join(' ') : (details?.card_holder ?? '')
}

/** Context of serializers that load related objects. */
export interface ViewContext extends PresentationContext {
  readonly queries: Queries
  /** Names of the related objects to show in full (specification: What the service does). */
  readonly extend: ReadonlySet<string>
}
