import type { Request } from 'express'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { HostedPage } from './page.ts'
import { refusalText } from './texts.ts'

/** Errors of a link that leads to no payment. */
const UNKNOWN: readonly string[] = ['errors.transaction.not_found', 'errors.not_found']

/**
 * Builds a page that is not about one payment, with a link back to the shop if the referrer is
 * known.
 */
export const messagePage = (refusal: GatewayError, request: Request): HostedPage => ({
  view: 'message',
  data: (locale) => ({
    heading: UNKNOWN.includes(refusal.entry.name) ? 'unknown_link' : 'sorry',
    error: refusalText(refusal, locale),
    error_name: refusal.entry.name,
    back: findReferrer(request),
  }),
})

/** Returns the referrer on another host; null if the browser sends none. */
function findReferrer({ headers: { referer = '', host } }: Request): string | null {
  const url = URL.parse(referer)
  return url && /^https?:$/.test(url.protocol) && url.host !== host ? url.href : null
}
