import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Page } from './page.ts'
import { returnAddress } from './return-address.ts'
import type { Visit } from './visit.ts'

/** How a page ends without a payment. */
const ENDS = {
  expired: { http: 410, heading: 'expired', hint: 'expired_hint' },
  'used up': { http: 410, heading: 'used_up', hint: 'used_up_hint' },
} as const

/** That this page cannot be paid any more, and the way back to the shop, which is told why. */
export function ended({ row, merchant }: Visit, how: keyof typeof ENDS, addresses: Addresses): Page {
  const { http, heading, hint } = ENDS[how]
  const refusal = refusalOfEnd(how)
  return {
    view: 'ended',
    http,
    of: { row, merchant },
    data: () => ({
      heading,
      hint,
      error_name: refusal.entry.name,
      back: row.error_url === null ? null : returnAddress(row, merchant, addresses, refusal),
    }),
  }
}

/** What the shop is told. */
export const refusalOfEnd = (how: keyof typeof ENDS): GatewayError =>
  how === 'expired'
    ? new GatewayError('errors.transaction.timeout', {
        explain: "The page's time is over; see the merchant's setting page_minutes",
      })
    : new GatewayError('errors.payment.failed', {
        explain: "The page has asked the bank as often as the merchant's setting page_tries allows",
      })
