import type { Request } from 'express'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { HostedPage } from './page.ts'
import { refusalText } from './texts.ts'

/** What a link that leads to no payment is refused with. */
const UNKNOWN: readonly string[] = ['errors.transaction.not_found', 'errors.not_found']

/**
 * Something that is not about one payment, with the way back to the shop where the browser says
 * where the payer is from.
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

/** The page that led here, of another host than ours; null when the browser tells none. */
function findReferrer({ headers: { referer = '', host } }: Request): string | null {
  const url = URL.parse(referer)
  return url && /^https?:$/.test(url.protocol) && url.host !== host ? url.href : null
}
