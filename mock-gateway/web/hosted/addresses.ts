import type { Response } from 'express'
import { type Addresses, listOwnAddresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { asLocale, type Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { STATES } from '../../domain/order/states.ts'
import { checkReturnUrl, redirectUrl } from '../../domain/order/urls.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import { type Parameters, text } from '../../parsing/parameters/parameters.ts'
import { calculateResponseHash, createHref } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { createWork, getExchange } from '../http/exchange.ts'

/** A payment whose payer is sent somewhere. */
interface SentPayer {
  readonly response: Response
  readonly row: TransactionRow
  readonly merchant: Merchant
}

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
export const createChallengeAddress = (
  { href_token }: TransactionRow,
  { pay }: Addresses,
): string => `${pay}/v1/acs/payment/${href_token}`

/**
 * Returns the address of a page's link back to the shop, which renders the merchant's address when
 * the payer follows it.
 * @param shop the merchant's address @returns null without one
 */
export const createBackAddress = (
  shop: string | null,
  row: TransactionRow,
  addresses: Addresses,
): string | null => (shop ? `${createHref(row, addresses)}/back` : null)

/** Addresses that lead the payer of a payment to the shop. Liquid in them is rendered here. */
export interface ReturnAddresses {
  /**
   * Returns the address after paying, with the parameters that the merchant checks (observed: 9).
   * Without a usable address of the merchant it is the payment's own page.
   * @param lang the language of the payment's page, if the payer changed it
   */
  after(payer: SentPayer, refusal?: GatewayError, lang?: Locale): Promise<string>
  /**
   * Returns the address for a payer who returns from the bank: the shop with the result, or the
   * payment page.
   * @param lang the language chosen at the bank
   */
  afterBank(payer: SentPayer, lang?: Locale): Promise<string>
  /**
   * Returns the address if no transaction was created; undefined without a usable address of the
   * merchant.
   */
  afterRefusedOrder(response: Response, refusal: GatewayError): Promise<string | undefined>
}

export function returnAddresses(addresses: Addresses, templates: Templates): ReturnAddresses {
  async function after(
    { response, row, merchant }: SentPayer,
    refusal?: GatewayError,
    lang?: Locale,
  ): Promise<string> {
    const which = refusal ? 'error_url' : 'success_url'
    const shop = await templates.returnAddress(createWork(response, merchant), row, which)
    return redirectUrl(shop ?? redirectUrl(createHref(row, addresses), { lang }), {
      ...(refusal ? { error_name: refusal.entry.name } : {}),
      transaction_id: String(row.id),
      payment_ref: row.payment_ref,
      status: row.status,
      hash: calculateResponseHash(row, merchant),
    })
  }

  return {
    after,
    async afterBank(payer, lang) {
      const { status, error_name } = payer.row
      const { claimsPaymentRef, payable } = STATES[status]
      if (claimsPaymentRef && status !== '3ds pending') return after(payer, undefined, lang)
      if (payable && error_name !== null) return after(payer, new GatewayError(error_name), lang)
      return redirectUrl(createHref(payer.row, addresses), { lang })
    },
    async afterRefusedOrder(response, refusal) {
      try {
        const sent = text(getExchange(response).parameters, 'error_url')
        if (!sent) return undefined
        const url = checkReturnUrl(sent, 'error_url', { own: listOwnAddresses(addresses) })
        return redirectUrl(await templates.bareAddress(createWork(response), url, 'error_url'), {
          error_name: refusal.entry.name,
        })
      } catch {
        return undefined
      }
    },
  }
}
