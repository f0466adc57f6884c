import { NO_CARD } from '../cards/payment-card.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import { readAttempt, readCustomerRef, readPaymentRef } from '../domain/identifiers.ts'
import type { PayerOption } from '../domain/merchant.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { checkOrder } from '../domain/order/check-order.ts'
import { getRules, readPaymentMethod } from '../domain/order/payment-methods.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import { checkDetails } from '../domain/payer/payment-details.ts'
import type { CreateTransaction, SentAuthentication } from '../payments/commands.ts'
import type { ClientFacts } from '../storage/tables/transactions.ts'
import {
  readAmount,
  readItems,
  readMetadata,
  readReturnUrl,
  readSentDetails,
  readStoredFields,
  STORED_FIELDS,
} from './order-fields.ts'
import {
  type CallParameters,
  flag,
  integer,
  isSent,
  type Parameters,
  pick,
  text,
} from './parameters/parameters.ts'
import { maskedPaymentRequest } from './payment-request.ts'
import { authenticateByHash, HASHED_FIELDS, type Sender } from './request-hash.ts'
import { CARD_FIELDS, hasCardData, readSentCard } from './sent-card.ts'
import { PLAN_ORDER_FIELDS, readPlanId, readSubscriptionOrder } from './subscription-order.ts'
import { readWebhookRequests } from './webhooks.ts'

/**
 * Parameters that the page adds to its payment after 3-D Secure. It gets them from the message of
 * the bank's window (observed: 5).
 */
const AUTHENTICATION_FIELDS = ['ref', 'eci', 'provider_ref'] as const

/** Returns undefined if the request contains no authentication. */
function readAuthentication(
  sent: CallParameters<(typeof AUTHENTICATION_FIELDS)[number]>,
): SentAuthentication | undefined {
  const mpi = {
    ref: text(sent, 'ref'),
    eci: text(sent, 'eci'),
    providerRef: text(sent, 'provider_ref'),
  }
  return Object.values(mpi).some((value) => value !== undefined) ? mpi : undefined
}

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
interface CreateOptions {
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
  const { hash, notices, uncovered } = proof ?? authenticateByHash(sent, sender)
  const process = !prepareOnly && (flag(sent, 'process') ?? true)
  const paymentMethod = readPaymentMethod(text(sent, 'payment_method')) ?? 'credit_card'
  const { answeredBy, limits } = getRules(paymentMethod)
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
    notices,
    uncovered,
    client,
  }
}

const AT_PAGE = 'needed if the payer finishes the payment on the payment page'

type RequestedOptions = Pick<CreateTransaction, 'webhooks' | 'authorize' | 'templateId'>

/**
 * Rejects options that a request without a login may not use, unless the merchant allows them (its
 * setting payer_options): the hash does not cover them. Values without an effect, such as
 * authorize=false, are always allowed.
 * @throws errors.request.bad_format (253)
 */
function checkPayerOptions(
  sent: CallParameters<'store_card'>,
  wanted: RequestedOptions,
  { merchant, loggedIn }: Sender,
): void {
  if (loggedIn) return
  const flags: Readonly<Record<PayerOption, boolean>> = {
    webhook: wanted.webhooks.length > 0,
    store_card: flag(sent, 'store_card') ?? false,
    authorize: wanted.authorize,
    template_id: wanted.templateId !== undefined,
  }
  const { payer_options } = merchant.settings
  const refused = Object.keys(flags).find(
    (name) => flags[name as PayerOption] && !payer_options.includes(name as PayerOption),
  )
  if (refused === undefined) return
  const explain = `${refused} needs a login, unless the merchant's setting payer_options lists it.`
  throw new GatewayError('errors.request.bad_format', { explain })
}

/**
 * Reads a form posted from a shop: with card data it pays in one step, without them it only
 * prepares the payment, and the payer continues on the payment page (specification: Endpoints;
 * observed: 5).
 * @param proof result of the hash check: nobody is redirected before it
 * @throws errors.success_url.missing (110), errors.error_url.missing (112) for a form that pays,
 *   since the payer must be sent back; the errors of `readCreateTransaction`
 */
export function readForm(
  parameters: Parameters,
  sender: Sender,
  { client, proof }: { readonly client: ClientFacts; readonly proof: VerifiedHash },
): CreateTransaction {
  const pays = hasCardData(parameters)
  if (pays)
    for (const name of ['success_url', 'error_url'] as const)
      if (!isSent(parameters, name))
        throw new GatewayError(`errors.${name}.missing`, {
          explain: `${name} is missing. Send the address that the payer returns to.`,
        })
  return {
    ...readCreateTransaction(parameters, sender, { client, proof, prepareOnly: !pays }),
    form: true,
  }
}
