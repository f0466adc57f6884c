import type { Item, PaymentMethod } from '../contract/transaction.ts'
import type { Addresses } from '../domain/addresses.ts'
import { type Currency, readCurrency } from '../domain/currencies.ts'
import { GatewayError } from '../domain/errors.ts'
import { readItems } from '../domain/items.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MerchantSettings } from '../domain/merchant.ts'
import { type Hundredths, looseAmount, parseAmount } from '../domain/money.ts'
import { flag, integer, list, object, type Parameters, text } from '../domain/parameters.ts'
import { readPaymentDetails, type SentPaymentDetails } from '../domain/payment-details.ts'
import { checkOrder, PAYMENT_METHODS, readPaymentMethod } from '../domain/payment-methods.ts'
import { readAttempt, readCustomerRef, readPaymentRef } from '../domain/references.ts'
import { readPlanId } from '../domain/subscription.ts'
import { checkReturnUrl, type ReturnUrl } from '../domain/urls.ts'
import { readWebhookRequests, type WebhookRequest } from '../domain/webhook-requests.ts'

/** What a merchant asks for when it creates a transaction, read and checked (specification: Create transaction). */
export interface NewTransaction {
  /** As sent: a bad format is refused only when paying (specification: amount rules). */
  readonly amount: string
  readonly vatAmount: Hundredths | undefined
  readonly currency: Currency
  readonly paymentRef: string
  readonly customerRef: string | undefined
  readonly successUrl: string | undefined
  readonly errorUrl: string | undefined
  readonly test: boolean
  readonly authorize: boolean
  readonly storeCard: boolean
  /** The plan that is subscribed to by paying: the card is stored then, asked for or not. */
  readonly planId: number | undefined
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
}

/**
 * Reads the parameters of a new transaction, in the order in which they are refused.
 * @throws errors.amount.missing, errors.payment_ref.invalid, errors.currency.*, errors.success_url.*,
 * errors.error_url.*, errors.metadata.invalid, errors.items.*, errors.payment_details.invalid, errors.webhook.invalid,
 * and what `checkOrder` throws
 */
export function readNewTransaction(
  parameters: Parameters,
  addresses: Addresses,
  settings: MerchantSettings,
): NewTransaction {
  const process = flag(parameters, 'process') ?? true
  const paymentMethod = readPaymentMethod(parameters) ?? 'credit_card'
  const { answeredBy, limits } = PAYMENT_METHODS[paymentMethod]
  const planId = readPlanId(parameters)
  const atPage = !process || answeredBy === 'payer'
  const wanted: NewTransaction = {
    process,
    amount: readAmount(parameters),
    vatAmount: readVatAmount(parameters),
    paymentRef: readPaymentRef(text(parameters, 'payment_ref') ?? text(parameters, 'order_id')),
    currency: readCurrency(text(parameters, 'currency')),
    customerRef: readCustomerRef(text(parameters, 'customer_ref')),
    successUrl: readReturnUrl(parameters, 'success_url', addresses, atPage),
    errorUrl: readReturnUrl(parameters, 'error_url', addresses, atPage),
    test: flag(parameters, 'test') ?? false,
    authorize: flag(parameters, 'authorize') ?? false,
    storeCard: (flag(parameters, 'store_card') ?? false) || planId !== undefined,
    planId,
    paymentMethod,
    metadata: object(parameters, 'metadata', 'errors.metadata.invalid'),
    items: readItems(list(parameters, 'items', 'errors.items.not_array'), { required: false }),
    paymentDetails: readPaymentDetails(parameters, limits),
    webhooks: readWebhookRequests(parameters),
    templateId: integer(parameters, 'template_id', 'errors.template.not_found'),
    attempt: readAttempt(text(parameters, 'mondido_attempt')),
  }
  return { ...wanted, paymentDetails: checkOrder(wanted, settings, process) }
}

/** Kept as sent, whatever it looks like, unless it is missing or negative. */
export function readAmount(parameters: Parameters): string {
  const amount = text(parameters, 'amount')
  const parsed = parseAmount(amount)
  if (amount === undefined || (!parsed.ok && parsed.problem === 'negative'))
    throw new GatewayError('errors.amount.missing', {
      explain: 'amount is missing or negative; send for example 10.00',
    })
  return amount
}

/** Clients send `0`, `0.00` or an unformatted float (observed: 2.3). */
export function readVatAmount(parameters: Parameters): Hundredths | undefined {
  const sent = text(parameters, 'vat_amount')
  const vatAmount = sent === undefined ? undefined : looseAmount(sent)
  if (sent !== undefined && vatAmount === undefined)
    throw new GatewayError('errors.amount.invalid', { explain: 'vat_amount must be a decimal number such as 2.50' })
  return vatAmount
}

function readReturnUrl(parameters: Parameters, which: ReturnUrl, addresses: Addresses, required: boolean) {
  const sent = text(parameters, which)
  if (sent !== undefined) return checkReturnUrl(sent, which, { own: ownAddresses(addresses) })
  if (required)
    throw new GatewayError(`errors.${which}.missing`, {
      explain: `${which} is needed when the payer finishes the payment on the hosted page`,
    })
  return undefined
}

/** Addresses of the gateway itself, which are no places to send a payer to. */
export const ownAddresses = ({ base, pay, cdn }: Addresses) => [`${base}/v1`, `${pay}/v1`, `${cdn}/v2`]
