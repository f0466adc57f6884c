import type { RequestHandler, Response } from 'express'
import { Liquid } from 'liquidjs'
import type { Parameters } from '../../domain/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { pageLanguage } from '../pages/language.ts'
import { contentSecurityPolicy, SELF } from '../pages/policy.ts'
import { TEMPLATES } from './templates.ts'
import { TEXTS } from './texts.ts'

/** A page: the name of its template and what the template shows. */
export interface Page {
  readonly template: keyof typeof TEMPLATES
  readonly data: Readonly<Record<string, unknown>>
  /** Origins the page's form may lead to, besides our own. */
  readonly leadsTo?: readonly string[]
  /** The merchant's choice of language, for who did not choose one here. */
  readonly locale?: unknown
}

const liquid = new Liquid({
  templates: TEMPLATES,
  outputEscape: 'escape',
  strictVariables: true,
  ownPropertyOnly: true,
})

/** Notes the language of whoever asks; what is about one payment may have another, its merchant's choice. */
export const pageLocale: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  const { locale, lang } = exchange.parameters
  exchange.locale = pageLanguage({ locale, lang, acceptLanguage: request.headers['accept-language'] })
  next()
}

/** Renders and answers a page. Its language is the payer's choice, the merchant's, the browser's, in this order. */
export function sendPage(response: Response, { template, data, leadsTo = [], locale: wanted }: Page): void {
  const exchange = exchangeOf(response)
  const { locale: sent, lang } = exchange.parameters
  const locale = pageLanguage({ locale: sent, lang, merchant: wanted }, exchange.locale)
  const card_holder = keptHolder(exchange.parameters)
  const html = liquid.renderFileSync(template, { ...data, card_holder, locale, text: TEXTS[locale] })
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
  // Redirects after a form count as its action, so the merchant's origins stand there too.
  const policy = contentSecurityPolicy({ 'style-src': [SELF], 'form-action': [SELF, ...leadsTo] })
  response.setHeader('Content-Security-Policy', policy)
  response.type('html').send(html)
}

/** Who mistyped the number need not type the name again. What holds a digit may be a card number in the wrong field. */
const keptHolder = ({ card_holder }: Parameters): string =>
  typeof card_holder === 'string' && !/\d/.test(card_holder) ? card_holder : ''

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, private',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
}
