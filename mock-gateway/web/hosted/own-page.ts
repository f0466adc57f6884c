import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import { entryByName, errorBody } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Parameters } from '../../requests/parameters/parameters.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { pageLanguage } from '../pages/language.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, LOOK_OF_MERCHANT, nonceSource, type Policy } from '../pages/policy.ts'
import { hasOwnPage } from './chosen-page.ts'
import { HEADERS } from './page.ts'

/** Answers the merchant's own page of a payment; false when it has none, or none that can be shown. */
export type SendOwnPage = (response: Response, row: TransactionRow, merchant: Merchant) => Promise<boolean>

export const ownPageSender =
  (templates: Templates): SendOwnPage =>
  async (response, row, merchant) => {
    if (!hasOwnPage(response, row)) return false
    const { parameters, locale: noted } = exchangeOf(response)
    const wishes = { locale: parameters.locale, lang: parameters.lang, merchant: row.payment_request.locale }
    const locale = pageLanguage(wishes, noted)
    const named = namedError(parameters)
    const error = named ? errorBody(named, locale) : null
    const nonce = randomBytes(16).toString('base64')
    const html = await templates.page(workOf(response, merchant), row, { locale, error, nonce })
    if (html === undefined) return false
    sendHtml(response, html, { policy: ownPagePolicy(nonce, merchant), headers: HEADERS })
    return true
  }

/** Looked up, so that nothing of the address is repeated. */
function namedError({ error_name }: Parameters) {
  return typeof error_name === 'string' ? entryByName(error_name) : undefined
}

/**
 * What a page may do that its merchant wrote, years ago perhaps: its own scripts run, which bear the nonce, what they load,
 * and its handlers (reference A.5, policy "compatible"). What is printed into it can be none of these.
 */
const ownPagePolicy = (nonce: string, { settings }: Merchant): Policy => ({
  'script-src': [nonceSource(nonce), "'strict-dynamic'", "'unsafe-eval'"],
  'script-src-attr': ["'unsafe-inline'"],
  htmlOfTexts: true,
  ...LOOK_OF_MERCHANT,
  'connect-src': ANYWHERE,
  'frame-src': ANYWHERE,
  'form-action': ANYWHERE,
  'frame-ancestors': settings.frame_parents,
})
