import type { Response } from 'express'
import { type Policy, SELF, writeContentSecurityPolicy } from './policy.ts'

/** Headers of a page. */
interface PageRules {
  /** Permissions of the page, in addition to our styles. */
  readonly policy?: Policy
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Content type of text that is not HTML. */
  readonly type?: string
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
    writeContentSecurityPolicy({ 'style-src': [SELF], ...policy }),
  )
  response.setHeader('Referrer-Policy', 'no-referrer')
  // For browsers without support of frame-ancestors; the header has no value for an origin.
  if (!policy['frame-ancestors']?.length) response.setHeader('X-Frame-Options', 'DENY')
  for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
  // `response.send` would copy the text into a buffer.
  response.type(type).setHeader('Content-Length', Buffer.byteLength(html)).end(html)
}
