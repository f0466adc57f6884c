import Bowser from 'bowser'
import type { ClientInfo, PaymentDetails, Transaction } from '../contract/wire.ts'
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
import { BY_ID, type References } from './resources.ts'
import { formatWireTime } from './time.ts'
import {
  presentCapture,
  presentDynamicWebhooks,
  presentLogEvent,
  presentRefund,
  presentWebhook,
} from './transaction-parts.ts'

/** Context of serializers. */
interface PresentationContext {
  readonly merchant: Merchant
  readonly addresses: Addresses
  readonly locale: Locale
}

/** Serializes a transaction for the API, webhooks and templates (specification: Transaction). */
export function presentTransaction(
  { row, parts }: TransactionRecord,
  presenting: PresentationContext,
  references: References = BY_ID,
): Transaction {
  const { merchant, addresses, locale } = presenting
  const error = createApiError(row, locale)
  const details = presentPaymentDetails(row)
  const refunds = parts.refunds.map((refund) => presentRefund(refund))
  return {
    id: row.id,
    created_at: formatWireTime(row.created_at),
    merchant_id: row.merchant_id,
    amount: presentAmount(row),
    vat_amount: row.vat_amount === null ? null : formatAmount(row.vat_amount),
    payment_ref: row.payment_ref,
    ref: row.customer_ref,
    card_holder: row.card_holder,
    card_number: row.card_number,
    card_expiry: row.card_expiry,
    test: row.test,
    metadata: row.metadata,
    currency: row.currency,
    status: row.status,
    status_details: row.status_details ?? '',
    fail_message: error?.description ?? '',
    card_type: row.card_type === null ? null : formatCardType(row.card_type),
    transaction_type: row.transaction_type,
    payment_method: row.payment_method,
    payment_request: row.payment_request,
    payment_response: row.payment_response,
    template_id: row.template_id,
    error,
    cost: readCost(row, merchant),
    success_url: row.success_url,
    error_url: row.error_url,
    items: row.items ?? [],
    authorize: row.authorize,
    link_payment: row.payment_link_id !== null,
    mpi_ref: row.mpi_ref,
    href: createHref(row, addresses),
    stored_card: references.stored_card(row.stored_card_id),
    customer: references.customer(row.customer_id),
    subscription: references.subscription(row.subscription_id),
    payment_details: details,
    processed_at: row.processed_at === null ? null : formatWireTime(row.processed_at),
    refunds,
    refunds_all: refunds,
    captures: parts.captures.map(presentCapture),
    org_auth_amount: convertToNumber(row.org_auth_amount ?? row.amount ?? NOTHING),
    webhooks: parts.webhooks.map(presentWebhook),
    event_context: {},
    log_events: parts.logEvents.map(presentLogEvent),
    client_info: presentClientInfo(row.client),
    currency_converter: row.currency_converter,
    wallet_type: row.wallet_type,
    dynamic_webhooks: presentDynamicWebhooks(parts.webhooks),
    customer_name: findCustomerName(details),
    provider_ref: row.provider_ref ?? '',
    request_hash: row.request_hash,
    response_hash: calculateResponseHash(row, merchant),
  }
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
