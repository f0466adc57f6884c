import { NO_CARD } from '../cards/payment-card.ts'
import { badFormat, GatewayError } from '../domain/errors/errors.ts'
import { readAttempt, readCustomerRef, readPaymentRef } from '../domain/identifiers.ts'
import type { PayerOption } from '../domain/merchant.ts'
import { readCurrency } from '../domain/money/currencies.ts'
import { checkOrder } from '../domain/order/check-order.ts'
import { getRules, readPaymentMethod } from '../domain/order/payment-methods.ts'
import type { VerifiedHash } from '../domain/order/request-hash.ts'
import { checkDetails } from '../domain/payer/payment-details.ts'
import type { CreateTransaction, SentAuthentication } from '../payments/commands.ts'
import { createPlanOrder } from '../payments/subscribe.ts'
import type { OrderColumns } from '../storage/tables/transactions.ts'
import {
  maskPaymentRequest,
  readAmount,
  readItems,
  readMetadata,
  readReturnUrl,
  readSentDetails,
  readStoredFields,
  readWebhookRequests,
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
import { authenticateByHash, HASHED_FIELDS, type Sender } from './request-hash.ts'
import { CARD_FIELDS, hasCardData, readSentCard } from './sent-card.ts'
import { PLAN_ORDER_FIELDS, readOrderParts, readPlanId } from './subscription-order.ts'

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

type CreateParameters = CallParameters<(typeof CREATE_TRANSACTION_FIELDS)[number]>

/** Options of `readCreateTransaction`. */
interface CreateOptions {
  /** Result of the hash check, if it is already done. */
  readonly proof?: VerifiedHash
  /** Prepares the transaction without paying it, whatever the request contains. */
  readonly prepareOnly?: boolean
}

/**
 * Reads a request to create a transaction, and checks its parameters in the order of their errors.
 * @throws errors.hash.* (106, 107), errors.plan.invalid, the errors of `readOrder`,
 *   errors.webhook.invalid, errors.template.not_found, and the errors of `checkPayerOptions`,
 *   `checkOrder` and `readSubscriptionOrder`
 */
export function readCreateTransaction(
  parameters: Parameters,
  sender: Sender,
  { proof, prepareOnly = false }: CreateOptions = {},
): CreateTransaction {
  const sent = pick(parameters, CREATE_TRANSACTION_FIELDS)
  const { hash, notices, uncovered } = proof ?? authenticateByHash(sent, sender)
  const process = !prepareOnly && (flag(sent, 'process') ?? true)
  const payment_method = readPaymentMethod(text(sent, 'payment_method')) ?? 'credit_card'
  const planId = readPlanId(sent)
  const order = readOrder(sent, sender, { process, payment_method })
  const webhooks = readWebhookRequests(sent)
  const template_id = integer(sent, 'template_id', 'errors.template.not_found') ?? null
  const attempt = readAttempt(text(sent, 'mondido_attempt')) ?? null
  checkPayerOptions(sender, {
    webhook: webhooks.length > 0,
    store_card: order.store_card,
    authorize: order.authorize,
    template_id: template_id !== null,
  })
  return {
    columns: {
      ...order,
      template_id,
      attempt,
      payment_details: checkOrder(order, sender.merchant.settings, process),
      ...(planId !== undefined &&
        createPlanOrder(planId, readOrderParts(sent, 'transaction', sender.now))),
      request_hash: hash,
      payment_request: maskPaymentRequest(parameters, sender.encrypted),
      client: sender.client,
    },
    process,
    webhooks,
    card: process ? readSentCard(sent) : NO_CARD,
    authentication: process ? readAuthentication(sent) : undefined,
    notices,
    uncovered,
  }
}

/**
 * Reads the columns of an order except its plan.
 * @throws errors.amount.missing, errors.payment_ref.invalid, errors.currency.*,
 *   errors.success_url.*, errors.error_url.*, errors.metadata.invalid, errors.items.*,
 *   errors.payment_details.invalid
 */
function readOrder(
  sent: CreateParameters,
  { addresses }: Sender,
  { process, payment_method }: Pick<OrderColumns, 'payment_method'> & { readonly process: boolean },
) {
  const { answeredBy, limits } = getRules(payment_method)
  const needed = !process || answeredBy === 'payer' ? AT_PAGE : undefined
  return {
    amount_text: readAmount(sent),
    ...readStoredFields(sent),
    payment_ref: readPaymentRef(text(sent, 'payment_ref') ?? text(sent, 'order_id')),
    currency: readCurrency(text(sent, 'currency')),
    customer_ref: readCustomerRef(text(sent, 'customer_ref')) ?? null,
    success_url: readReturnUrl(sent, 'success_url', addresses, needed) ?? null,
    error_url: readReturnUrl(sent, 'error_url', addresses, needed) ?? null,
    test: flag(sent, 'test') ?? false,
    authorize: flag(sent, 'authorize') ?? false,
    store_card: flag(sent, 'store_card') ?? false,
    payment_method,
    metadata: readMetadata(sent) ?? null,
    items: readItems(sent, 'items') ?? null,
    payment_details: checkDetails(readSentDetails(sent), limits) ?? null,
  }
}

const AT_PAGE = 'needed if the payer finishes the payment on the payment page'

/**
 * Rejects options that a request without a login may not use, unless the merchant allows them (its
 * setting payer_options): the hash does not cover them. Values without an effect, such as
 * authorize=false, are always allowed.
 * @throws errors.request.bad_format (253)
 */
function checkPayerOptions(
  { merchant, loggedIn }: Sender,
  used: Readonly<Record<PayerOption, boolean>>,
): void {
  const { payer_options } = merchant.settings
  const options = Object.keys(used) as PayerOption[]
  const refused = options.find((name) => used[name] && !payer_options.includes(name))
  if (loggedIn || refused === undefined) return
  throw badFormat(`${refused} needs a login, unless the merchant's setting payer_options lists it.`)
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
  proof: VerifiedHash,
): CreateTransaction {
  const pays = hasCardData(parameters)
  if (pays)
    for (const name of ['success_url', 'error_url'] as const)
      if (!isSent(parameters, name))
        throw new GatewayError(`errors.${name}.missing`, {
          explain: `${name} is missing. Send the address that the payer returns to.`,
        })
  return {
    ...readCreateTransaction(parameters, sender, { proof, prepareOnly: !pays }),
    form: true,
  }
}
