import type { Response } from 'express'
import { listOwnAddresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { asLocale, type Locale } from '../../domain/language/languages.ts'
import { STATES } from '../../domain/order/states.ts'
import { checkReturnUrl, redirectUrl } from '../../domain/order/urls.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { calculateResponseHash, createHref } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import type { PaymentVisit } from './visit.ts'

/** A payment whose payer is sent somewhere. */
type SentPayer = Pick<PaymentVisit, 'response' | 'row' | 'merchant'>

/**
 * Returns true if the payer sees the merchant's own page, and has not left it for the built-in one.
 */
export const hasOwnPage = (response: Response, { template_id }: TransactionRow): boolean =>
  template_id !== null && !isBuiltInPageRequested(getExchange(response).parameters)

/** Builds the page's address with the payer's choices: the language, and the built-in page. */
export const chooseAddress = (href: string, parameters: Parameters): string =>
  redirectUrl(href, {
    lang: asLocale(parameters.lang),
    template: isBuiltInPageRequested(parameters) ? 'none' : undefined,
  })

/**
 * Returns the address of a payment's 3-D Secure challenge, which leads back to the page when it
 * ends.
 */
export const createChallengeAddress = ({ response, row }: Omit<SentPayer, 'merchant'>): string =>
  `${getExchange(response).service.addresses.pay}/v1/acs/payment/${row.href_token}`

/**
 * Returns the address of a page's link back to the shop, which renders the merchant's address when
 * the payer follows it.
 * @param shop the merchant's address @returns null without one
 */
export const createBackAddress = (shop: string | null, { href }: PaymentVisit): string | null =>
  shop ? `${href}/back` : null

/**
 * Returns the address in the shop after paying, with the parameters that the merchant checks
 * (observed: 9). Without a usable address of the merchant it is the payment's own page.
 * @param lang the language of the payment's page, if the payer changed it
 */
export async function createReturnAddress(
  templates: Templates,
  { response, row, merchant }: SentPayer,
  refusal?: GatewayError,
  lang?: Locale,
): Promise<string> {
  const work = createWork(response, merchant)
  const shop = await templates.returnAddress(work, row, refusal ? 'error_url' : 'success_url')
  return redirectUrl(shop ?? redirectUrl(createHref(row, work.addresses), { lang }), {
    ...(refusal ? { error_name: refusal.entry.name } : {}),
    transaction_id: String(row.id),
    payment_ref: row.payment_ref,
    status: row.status,
    hash: calculateResponseHash(row, merchant),
  })
}

/**
 * Returns the address for a payer who returns from the bank: the shop with the result, or the
 * payment page.
 * @param lang the language chosen at the bank
 */
export async function createAddressAfterBank(
  templates: Templates,
  visit: PaymentVisit,
  lang?: Locale,
): Promise<string> {
  const { status, error_name } = visit.row
  const { claimsPaymentRef, payable } = STATES[status]
  if (claimsPaymentRef && status !== '3ds pending')
    return createReturnAddress(templates, visit, undefined, lang)
  if (payable && error_name !== null)
    return createReturnAddress(templates, visit, new GatewayError(error_name), lang)
  return redirectUrl(visit.href, { lang })
}

/**
 * Returns the address if no transaction was created; undefined without a usable address of the
 * merchant.
 */
export async function createRefusedOrderAddress(
  templates: Templates,
  response: Response,
  refusal: GatewayError,
): Promise<string | undefined> {
  try {
    const work = createWork(response)
    const sent = text(getExchange(response).parameters, 'error_url')
    if (!sent) return undefined
    const url = checkReturnUrl(sent, 'error_url', { own: listOwnAddresses(work.addresses) })
    return redirectUrl(await templates.bareAddress(work, url, 'error_url'), {
      error_name: refusal.entry.name,
    })
  } catch {
    return undefined
  }
}
