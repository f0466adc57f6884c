import type { RequestHandler, Response } from 'express'
import type { Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { isBuiltInPageRequested } from '../../parsing/page-payment.ts'
import { exchangeOf } from '../http/exchange.ts'
import { explainLanguage } from '../http/receive.ts'
import type { Render } from '../pages/engine.ts'
import { pageLanguage } from '../pages/language.ts'
import { sendPage } from '../pages/page.ts'
import { ANYWHERE, type Policy, SELF } from '../pages/policy.ts'
import { type OrderRow, shownOrder } from './order.ts'
import { TEXTS } from './texts.ts'

/** A page of the payment page's module. */
export interface HostedPage {
  readonly view:
    | 'after-bank'
    | 'bank-frame'
    | 'payment-form'
    | 'payment-link'
    | 'simulator'
    | 'receipt'
    | 'waiting'
    | 'ended'
    | 'message'
  /** HTTP status; default: 200. */
  readonly http?: number
  /** Data of the view, in addition to texts and order. */
  readonly data: (locale: Locale) => Readonly<Record<string, unknown>>
  /** The payment or payment link of the page. */
  readonly of?: { readonly row: OrderRow; readonly merchant: Merchant }
}

/**
 * Renders and sends a page. Its language is the payer's choice, the merchant's, or the browser's,
 * in this order.
 */
export type SendHostedPage = (response: Response, page: HostedPage) => Promise<void>

/** Sets the language of the request; a payment's page may use its merchant's choice. */
export const pageLocale: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  const { locale, lang } = exchange.parameters
  exchange.locale = pageLanguage({
    locale,
    lang,
    acceptLanguage: request.headers['accept-language'],
  })
  explainLanguage(response, 'locale', locale)
  explainLanguage(response, 'lang', lang)
  next()
}

/**
 * Creates the sender of pages.
 * @param shared data of every view
 */
export const pageSender =
  (render: Render, shared: Readonly<Record<string, unknown>> = {}): SendHostedPage =>
  (response, { view, http, data, of }) => {
    const { id, parameters, locale: noted, merchant = of?.merchant } = exchangeOf(response)
    // The language that the merchant requested for the payment.
    const wanted = of?.row.payment_request.locale
    const locale = pageLanguage(
      { locale: parameters.locale, lang: parameters.lang, merchant: wanted },
      noted,
    )
    // Added to links that must not lead to the merchant's own page.
    const builtIn = isBuiltInPageRequested(parameters) ? '&template=none' : ''
    const order = of ? shownOrder(of.row, of.merchant, locale) : {}
    if (http !== undefined) response.status(http)
    return sendPage(response, render, {
      view: `hosted/views/${view}`,
      locale,
      data: {
        ...NOT_IN_PLACE,
        ...shared,
        ...order,
        ...data(locale),
        text: TEXTS[locale],
        request_id: id,
        built_in: builtIn,
      },
      policy: { ...pagePolicy(merchant), ...POLICIES[view] },
      headers: HEADERS,
    })
  }

/** Facts of a page at its own address, whose forms and links need none; see `factsInPlace`. */
const NOT_IN_PLACE = { page: '', page_token: null }

/**
 * Additional policies of single pages: the bank is shown in a frame of the page, and leads out of
 * it.
 */
const POLICIES: Readonly<Partial<Record<HostedPage['view'], Policy>>> = {
  'bank-frame': { 'frame-src': [SELF] },
  'after-bank': { 'frame-ancestors': [SELF] },
}

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
