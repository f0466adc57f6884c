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

/** A page of a payment, or about none. */
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
  /** HTTP status; 200 where nothing is said. */
  readonly http?: number
  /** What the view shows besides words and order. */
  readonly data: (locale: Locale) => Readonly<Record<string, unknown>>
  /** The payment that it is about, or the payment link. */
  readonly of?: { readonly row: OrderRow; readonly merchant: Merchant }
}

/**
 * Renders and answers a page. Its language is the payer's choice, the merchant's, the browser's, in
 * this order.
 */
export type SendHostedPage = (response: Response, page: HostedPage) => Promise<void>

/**
 * Notes the language of whoever asks; what is about one payment may have another, its merchant's
 * choice.
 */
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
 * @param shared what every view is given besides its own data
 */
export const pageSender =
  (render: Render, shared: Readonly<Record<string, unknown>> = {}): SendHostedPage =>
  (response, { view, http, data, of }) => {
    const { id, parameters, locale: noted, merchant = of?.merchant } = exchangeOf(response)
    // The language that the merchant asked for when it prepared the payment.
    const wanted = of?.row.payment_request.locale
    const locale = pageLanguage(
      { locale: parameters.locale, lang: parameters.lang, merchant: wanted },
      noted,
    )
    // What its links have to say so that they lead to no page of the merchant's own.
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

/**
 * Facts of a page at its own address, where forms and links need no address; see `factsInPlace`.
 */
const NOT_IN_PLACE = { page: '', page_token: null }

/**
 * What single pages may do besides: the bank is shown in a frame of the page, and leads out of it.
 */
const POLICIES: Readonly<Partial<Record<HostedPage['view'], Policy>>> = {
  'bank-frame': { 'frame-src': [SELF] },
  'after-bank': { 'frame-ancestors': [SELF] },
}

/**
 * What a page may do. Redirects after a form count as its action, and a shop may redirect on to
 * anywhere: so its form leads to any web address, which the gateway alone decides (decision 57;
 * seen to fail in Chromium otherwise).
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
