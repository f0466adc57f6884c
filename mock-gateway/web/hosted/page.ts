import type { RequestHandler, Response } from 'express'
import { Liquid } from 'liquidjs'
import type { Locale } from '../../domain/errors.ts'
import type { Parameters } from '../../domain/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
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

/** The language of a page: `locale` or `lang` when sent, else what the browser prefers, else Swedish (our decision). */
export const pageLocale: RequestHandler = (request, response, next) => {
  const exchange = exchangeOf(response)
  exchange.locale = chosenLocale(exchange.parameters) ?? (request.acceptsLanguages('sv', 'en') === 'en' ? 'en' : 'sv')
  next()
}

/** Renders and answers a page. Its language is the payer's choice, the merchant's, the browser's, in this order. */
export function sendPage(response: Response, { template, data, leadsTo = [], locale: wanted }: Page): void {
  const exchange = exchangeOf(response)
  const locale = chosenLocale(exchange.parameters) ?? asLocale(wanted) ?? exchange.locale
  const card_holder = keptHolder(exchange.parameters)
  const html = liquid.renderFileSync(template, { ...data, card_holder, locale, text: TEXTS[locale] })
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
  // Redirects after a form count as its action, so the merchant's origins stand there too.
  const policy = contentSecurityPolicy({ 'style-src': [SELF], 'form-action': [SELF, ...leadsTo] })
  response.setHeader('Content-Security-Policy', policy)
  response.type('html').send(html)
}

const chosenLocale = ({ locale, lang }: Parameters): Locale | undefined => asLocale(locale) ?? asLocale(lang)

/** A language the pages are in; undefined for anything else. */
export function asLocale(sent: unknown): Locale | undefined {
  const wanted = typeof sent === 'string' ? sent.toLowerCase() : ''
  return wanted === 'sv' || wanted === 'en' ? wanted : undefined
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
