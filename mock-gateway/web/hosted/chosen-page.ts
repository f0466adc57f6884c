import type { Response } from 'express'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import type { Parameters } from '../../parsing/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { exchangeOf } from '../http/exchange.ts'

/**
 * Returns true if the payer sees the merchant's own page, and has not left it for the built-in one.
 */
export const hasOwnPage = (response: Response, { template_id }: TransactionRow): boolean =>
  template_id !== null && !isBuiltInPageRequested(exchangeOf(response).parameters)

/** Builds the page's address with the payer's choices: the language, and the built-in page. */
export const chosenAddress = (href: string, parameters: Parameters): string =>
  redirectUrl(href, {
    lang: asLocale(parameters.lang),
    template: isBuiltInPageRequested(parameters) ? 'none' : undefined,
  })
