import type { RequestHandler, Response } from 'express'
import type { Parameters } from '../../requests/parameters/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import type { Render } from '../pages/engine.ts'
import { pageLanguage } from '../pages/language.ts'
import { sendPage } from '../pages/page.ts'
import { SELF } from '../pages/policy.ts'
import { TEXTS } from './texts.ts'

/** A page of a payment: the name of its view and what the view shows. */
export interface Page {
  readonly view: 'card-form' | 'receipt' | 'message'
  readonly data: Readonly<Record<string, unknown>>
  /** Origins the page's form may lead to, besides our own. */
  readonly leadsTo?: readonly string[]
  /** The merchant's choice of language, for who did not choose one here. */
  readonly locale?: unknown
}

/** Renders and answers a page. Its language is the payer's choice, the merchant's, the browser's, in this order. */
export type SendPage = (response: Response, page: Page) => Promise<void>

/** Notes the language of whoever asks; what is about one payment may have another, its merchant's choice. */
export const pageLocale: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  const { locale, lang } = exchange.parameters
  exchange.locale = pageLanguage({ locale, lang, acceptLanguage: request.headers['accept-language'] })
  next()
}

export const pageSender =
  (render: Render): SendPage =>
  (response, { view, data, leadsTo = [], locale: wanted }) => {
    const { parameters, locale: noted } = exchangeOf(response)
    const locale = pageLanguage({ locale: parameters.locale, lang: parameters.lang, merchant: wanted }, noted)
    return sendPage(response, render, {
      view: `hosted/views/${view}`,
      locale,
      data: { ...data, card_holder: keptHolder(parameters), text: TEXTS[locale] },
      // Redirects after a form count as its action, so the merchant's origins stand there too.
      policy: { 'form-action': [SELF, ...leadsTo] },
      headers: HEADERS,
    })
  }

/** Who mistyped the number need not type the name again. What holds a digit may be a card number in the wrong field. */
const keptHolder = ({ card_holder }: Parameters): string =>
  typeof card_holder === 'string' && !/\d/.test(card_holder) ? card_holder : ''

const HEADERS: Readonly<Record<string, string>> = {
  'X-Robots-Tag': 'noindex, nofollow',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
}
