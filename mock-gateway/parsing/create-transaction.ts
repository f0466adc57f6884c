import { NO_CARD } from '../cards/payment-card.ts'
import { readAttempt, readCustomerRef, readPaymentRef } from '../domain/identifiers.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { checkOrder } from '../domain/order/check-order.ts'
import { readPaymentMethod, rulesOf } from '../domain/order/payment-methods.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import { checkDetails } from '../domain/payer/payment-details.ts'
import type { CreateTransaction } from '../payments/commands.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'
import { readItems } from './items.ts'
import { readMetadata } from './metadata.ts'
import { readAmount, readReturnUrl, readStoredFields, STORED_FIELDS } from './order-fields.ts'
import { flag, integer, type Parameters, pick, text } from './parameters/parameters.ts'
import { checkPayerOptions } from './payer-options.ts'
import { readSentDetails } from './payment-details.ts'
import { maskedPaymentRequest } from './payment-request.ts'
import { authenticateByHash, HASHED_FIELDS } from './request-hash.ts'
import type { Sender } from './sender.ts'
import { AUTHENTICATION_FIELDS, readAuthentication } from './sent-authentication.ts'
import { CARD_FIELDS, readSentCard } from './sent-card.ts'
import { PLAN_ORDER_FIELDS, readPlanId, readSubscriptionOrder } from './subscription-order.ts'
import { readWebhookRequests } from './webhooks.ts'

/**
 * Parameters of a new transaction (specification: Create transaction; `mondido_attempt`: decision
 * 24).
 */
export const CREATE_TRANSACTION_FIELDS = [
  ...HASHED_FIELDS,
  ...STORED_FIELDS,
  'success_url',
  'error_url',
  'authorize',
  'store_card',
  'process',
  'payment_method',
  'payment_details',
  'swish_number',
  'metadata',
  'items',
  ...PLAN_ORDER_FIELDS,
  'webhook',
  'webhooks',
  'template_id',
  'locale',
  'mondido_attempt',
  ...AUTHENTICATION_FIELDS,
  ...CARD_FIELDS,
] as const

/** Options of `readCreateTransaction`. */
export interface CreateOptions {
  /** Facts about the payer's browser. */
  readonly client: ClientFacts
  /** Result of the hash check, if it is already done. */
  readonly proof?: VerifiedHash
  /** Prepares the transaction without paying it, whatever the request contains. */
  readonly prepareOnly?: boolean
}

/**
 * Reads a request to create a transaction, and checks its parameters in the order of their errors.
 * @throws errors.hash.* (106, 107), errors.amount.missing, errors.payment_ref.invalid,
 *   errors.currency.*, errors.success_url.*, errors.error_url.*, errors.metadata.invalid,
 *   errors.items.*, errors.payment_details.invalid, errors.webhook.invalid, errors.plan.invalid,
 *   and the errors of `checkPayerOptions`, `checkOrder` and `readSubscriptionOrder`
 */
export function readCreateTransaction(
  parameters: Parameters,
  sender: Sender,
  { client, proof, prepareOnly = false }: CreateOptions,
): CreateTransaction {
  const { merchant, addresses, now } = sender
  const sent = pick(parameters, CREATE_TRANSACTION_FIELDS)
  const { hash, notes, uncovered } = proof ?? authenticateByHash(sent, sender)
  const process = !prepareOnly && (flag(sent, 'process') ?? true)
  const paymentMethod = readPaymentMethod(text(sent, 'payment_method')) ?? 'credit_card'
  const { answeredBy, limits } = rulesOf(paymentMethod)
  const planId = readPlanId(sent)
  const atPage = !process || answeredBy === 'payer' ? AT_PAGE : undefined
  const wanted = {
    process,
    amount: readAmount(sent),
    stored: readStoredFields(sent),
    paymentRef: readPaymentRef(text(sent, 'payment_ref') ?? text(sent, 'order_id')),
    currency: readCurrency(text(sent, 'currency')),
    customerRef: readCustomerRef(text(sent, 'customer_ref')),
    successUrl: readReturnUrl(sent, 'success_url', addresses, atPage),
    errorUrl: readReturnUrl(sent, 'error_url', addresses, atPage),
    test: flag(sent, 'test') ?? false,
    authorize: flag(sent, 'authorize') ?? false,
    storeCard: (flag(sent, 'store_card') ?? false) || planId !== undefined,
    paymentMethod,
    metadata: readMetadata(sent),
    items: readItems(sent, 'items'),
    paymentDetails: checkDetails(readSentDetails(sent), limits),
    webhooks: readWebhookRequests(sent),
    templateId: integer(sent, 'template_id', 'errors.template.not_found'),
    attempt: readAttempt(text(sent, 'mondido_attempt')),
  }
  checkPayerOptions(sent, wanted, sender)
  return {
    ...wanted,
    paymentDetails: checkOrder(wanted, merchant.settings, process),
    order: readSubscriptionOrder(sent, 'transaction', now),
    card: process ? readSentCard(sent) : NO_CARD,
    authentication: process ? readAuthentication(sent) : undefined,
    paymentRequest: maskedPaymentRequest(parameters, sender.encrypted),
    hash,
    notes,
    uncovered,
    client,
  }
}

const AT_PAGE = 'needed if the payer finishes the payment on the payment page'
