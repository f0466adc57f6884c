import { randomBytes } from 'node:crypto'
import type { Response } from 'express'
import type { Locale } from '../../domain/language/languages.ts'
import { pageLanguage } from '../../domain/language/page-language.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { AddressOf } from '../pages/assets.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, nonceSource, SELF } from '../pages/policy.ts'
import { TEXTS } from './texts.ts'
import type { BankView } from './views/sheet.ts'

/** A page of 3-D Secure. */
export interface BankPage {
  readonly view: BankView
  /** The authentication of the page, which may be framed by the merchant's pages. */
  readonly row?: AuthenticationRow | undefined
  readonly merchant?: Merchant | undefined
  /** Additional origins that may frame it. */
  readonly framedBy?: readonly string[]
}

/** Returns the language of an authentication's page: the requested one, or else the merchant's. */
export function localeFor(response: Response, row: AuthenticationRow | undefined): Locale {
  const { parameters, locale } = exchangeOf(response)
  return pageLanguage({ locale: parameters.lang, merchant: row?.locale }, locale)
}

export type SendBankPage = (response: Response, page: BankPage) => Promise<void>

/**
 * Renders and sends a page. It sets no opener policy, which would separate the window from the
 * shop's page that waits for its message. A form may lead anywhere, since browsers apply the policy
 * to redirects after it too (our decision).
 */
export const pageSender =
  (assetAddresses: () => Promise<AddressOf>): SendBankPage =>
  async (response, { view, row, merchant, framedBy = [] }) => {
    const locale = localeFor(response, row)
    const nonce = randomBytes(16).toString('base64')
    const addressOf = await assetAddresses()
    sendHtml(response, String(view({ locale, text: TEXTS[locale], nonce, addressOf })), {
      policy: {
        'script-src': [nonceSource(nonce)],
        'img-src': [SELF],
        'connect-src': [SELF],
        'form-action': ANYWHERE,
        'frame-ancestors': [SELF, ...framesOf(row, merchant), ...framedBy],
      },
      headers: { 'X-Robots-Tag': 'noindex, nofollow' },
    })
  }

/**
 * The page that started the authentication has authenticated its order; a payment page is wherever
 * the merchant allows it.
 */
const framesOf = (
  row: AuthenticationRow | undefined,
  merchant: Merchant | undefined,
): readonly string[] => (row?.origin ? [row.origin] : (merchant?.settings.frame_parents ?? []))
