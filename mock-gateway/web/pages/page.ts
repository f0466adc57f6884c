import type { Response } from 'express'
import type { Locale } from '../../domain/language/languages.ts'
import type { Render } from './engine.ts'
import { otherLanguages } from './language.ts'
import { contentSecurityPolicy, type Policy, SELF } from './policy.ts'

/** A page that stands in the layout. */
export interface HtmlPage extends PageRules {
  /** Path of its view below web/, without `.liquid`. */
  readonly view: string
  readonly locale: Locale
  /** What the view shows. */
  readonly data: Readonly<Record<string, unknown>>
}

/** What a browser has to know of a page. */
export interface PageRules {
  /** What the page may do besides having our styles. */
  readonly policy?: Policy
  /** Headers that not every page has. */
  readonly headers?: Readonly<Record<string, string>>
  /** Of text that is no HTML. */
  readonly type?: string
}

/** Renders and answers a page. */
export async function sendPage(
  response: Response,
  render: Render,
  { view, locale, data, ...rules }: HtmlPage,
) {
  sendHtml(
    response,
    await render(view, { ...data, locale, other_languages: otherLanguages(locale) }),
    rules,
  )
}

/**
 * Answers what is rendered already. Pages are made for whoever asks, so nobody keeps them or learns
 * their address.
 */
export function sendHtml(
  response: Response,
  html: string,
  { policy = {}, headers = {}, type = 'html' }: PageRules = {},
): void {
  response.setHeader('Cache-Control', 'no-store, private')
  response.setHeader(
    'Content-Security-Policy',
    contentSecurityPolicy({ 'style-src': [SELF], ...policy }),
  )
  response.setHeader('Referrer-Policy', 'no-referrer')
  // For browsers that do not know frame-ancestors, and which could not be told of an origin.
  if (!policy['frame-ancestors']?.length) response.setHeader('X-Frame-Options', 'DENY')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // `response.send` would copy it into a buffer, to be sent beside its headers.
  response.type(type).setHeader('Content-Length', Buffer.byteLength(html)).end(html)
}
