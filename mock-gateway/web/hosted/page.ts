import type { Response } from 'express'
import { asLocale, type Locale } from '../../domain/language/languages.ts'
import { pageLanguage } from '../../domain/language/page-language.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { AddressOf } from '../pages/assets.ts'
import { sendHtml } from '../pages/page.ts'
import { ANYWHERE, type Policy, SELF } from '../pages/policy.ts'
import type { OrderRow } from './order.ts'
import { TEXTS } from './texts.ts'
import type { HostedView, PagePlace } from './views/sheet.ts'

/** A page of the payment page's module. */
export interface HostedPage {
  readonly view: HostedView
  /** HTTP status; default: 200. */
  readonly http?: number
  /** Additional permissions. */
  readonly policy?: Policy
  /** The payment or payment link of the page. */
  readonly of?: { readonly row: OrderRow; readonly merchant: Merchant }
}

/**
 * Renders and sends a page. Its language is the payer's choice, the merchant's, or the browser's,
 * in this order.
 */
export type SendHostedPage = (response: Response, page: HostedPage) => Promise<void>

/** Creates the sender of pages. @param place of pages that have no address of their own */
export const pageSender =
  (assetAddresses: () => Promise<AddressOf>, place: PagePlace = OWN_ADDRESS): SendHostedPage =>
  async (response, { view, http, policy, of }) => {
    const { id, parameters, locale: noted, merchant = of?.merchant } = exchangeOf(response)
    // The language that the merchant requested for the payment.
    const wanted = of?.row.payment_request.locale
    const locale = pageLanguage(
      { locale: parameters.locale, lang: parameters.lang, merchant: wanted },
      noted,
    )
    const builtIn = isBuiltInPageRequested(parameters) ? '&template=none' : ''
    const html = view({
      ...place,
      locale,
      text: TEXTS[locale],
      addressOf: await assetAddresses(),
      requestId: id,
      address: formAddress(response.req.originalUrl, asLocale(parameters.lang), builtIn),
      builtIn,
    })
    if (http !== undefined) response.status(http)
    sendHtml(response, String(html), {
      policy: { ...pagePolicy(merchant), ...policy },
      headers: HEADERS,
    })
  }

/**
 * Returns the address for a page's forms: relative, since a proxy may have removed the start of its
 * path, and with known parameters only.
 * @example formAddress('/v1/form/abc?lang=sv&other=1', 'sv', '') // 'abc?lang=sv'
 */
function formAddress(address: string, lang: Locale | undefined, builtIn: string): string {
  const query = `${lang ? `&lang=${lang}` : ''}${builtIn}`.replace('&', '?')
  const { pathname } = new URL(address, 'http://gateway')
  return `${pathname.slice(pathname.lastIndexOf('/') + 1) || './'}${query}`
}

/** A page at its own address. */
const OWN_ADDRESS: PagePlace = { page: '', pageToken: null }

/**
 * Returns the policy of a page. Redirects after a form count as its action, and a shop may redirect
 * to any site: so forms may lead to any web address, which only the gateway decides (decision 57;
 * otherwise seen to fail in Chromium).
 */
function pagePolicy(merchant: Merchant | undefined): Policy {
  const { logo, frame_parents = [] } = merchant?.settings ?? {}
  return {
    'script-src': [SELF],
    'img-src': [
      SELF,
      ...(logo?.startsWith('https:') ? [new URL(logo).origin] : logo ? ['data:'] : []),
    ],
    'connect-src': [SELF],
    'form-action': ANYWHERE,
    'frame-ancestors': frame_parents,
  }
}

export const HEADERS: Readonly<Record<string, string>> = {
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), usb=()',
}
