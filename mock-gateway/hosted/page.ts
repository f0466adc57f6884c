import type { RequestHandler, Response } from 'express'
import { Liquid } from 'liquidjs'
import { text } from '../domain/parameters.ts'
import { exchangeOf } from '../http/exchange.ts'
import { TEMPLATES } from './templates.ts'
import { TEXTS } from './texts.ts'

/** A page: the name of its template and what the template shows. */
export interface Page {
  readonly template: keyof typeof TEMPLATES
  readonly data: Readonly<Record<string, unknown>>
  /** Origins the page's form may lead to, besides our own. */
  readonly leadsTo?: readonly string[]
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
  const wanted = (text(exchange.parameters, 'locale') ?? text(exchange.parameters, 'lang'))?.toLowerCase()
  exchange.locale =
    wanted === 'en' || wanted === 'sv' ? wanted : request.acceptsLanguages('sv', 'en') === 'en' ? 'en' : 'sv'
  next()
}

/** Renders and answers a page in the language of the request. */
export function sendPage(response: Response, { template, data, leadsTo = [] }: Page): void {
  const { locale } = exchangeOf(response)
  const html = liquid.renderFileSync(template, { ...data, locale, text: TEXTS[locale] })
  for (const [name, value] of Object.entries(PAGE_HEADERS)) response.setHeader(name, value)
  response.setHeader('Content-Security-Policy', policy(leadsTo))
  response.type('html').send(html)
}

const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'Cache-Control': 'no-store, private',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
  'X-Frame-Options': 'DENY',
  'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
}

/** Redirects after a form count as its action, so the merchant's origins stand there too. */
const policy = (leadsTo: readonly string[]) =>
  [
    "default-src 'none'",
    "base-uri 'none'",
    "style-src 'self'",
    "frame-ancestors 'none'",
    ["form-action 'self'", ...new Set(leadsTo)].join(' '),
  ].join('; ')
