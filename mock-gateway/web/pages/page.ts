import type { Response } from 'express'
import type { Locale } from '../../domain/language/languages.ts'
import type { Render } from './engine.ts'
import { otherLanguages } from './language.ts'
import { contentSecurityPolicy, type Policy, SELF } from './policy.ts'

/** A page with its layout. */
export interface HtmlPage extends PageRules {
  /** Path of its view below web/, without `.liquid`. */
  readonly view: string
  readonly locale: Locale
  /** Data of the view. */
  readonly data: Readonly<Record<string, unknown>>
}

/** Headers of a page. */
export interface PageRules {
  /** Permissions of the page, in addition to our styles. */
  readonly policy?: Policy
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content type of text that is not HTML. */
  readonly type?: string
}

/** Renders and sends a page. */
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
 * Sends rendered HTML. Pages are private: they are not cached, and their address is not sent as a
 * referrer.
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
  // For browsers without support of frame-ancestors; the header has no value for an origin.
  if (!policy['frame-ancestors']?.length) response.setHeader('X-Frame-Options', 'DENY')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // `response.send` would copy the text into a buffer.
  response.type(type).setHeader('Content-Length', Buffer.byteLength(html)).end(html)
}
