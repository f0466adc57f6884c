import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { linkEnded } from '../../payments/payment-links.ts'
import type { ShownRow } from './order.ts'
import type { Page } from './page.ts'
import { type PageState, refusalOfAmount } from './page-state.ts'
import { returnAddress } from './return-address.ts'
import type { Texts } from './texts/words.ts'
import type { Visit } from './visit.ts'

/** How a page ends without a payment, or cannot begin with one. */
const ENDS = {
  expired: { http: 410, heading: 'expired', hint: 'expired_hint' },
  'used up': { http: 410, heading: 'used_up', hint: 'used_up_hint' },
  unpayable: { http: 400, heading: 'unpayable', hint: 'unpayable_hint' },
  'link over': { http: 410, heading: 'link_over', hint: 'link_closed_hint' },
} as const

/** What a payer is told of a payment link, by how it has ended. */
const LINK_HINTS = {
  closed: 'link_closed_hint',
  expired: 'link_expired_hint',
  used_up: 'link_used_up_hint',
} as const satisfies Record<LinkEnd, keyof Texts>

export type End = keyof typeof ENDS

export const isEnd = (pageState: PageState): pageState is End => Object.hasOwn(ENDS, pageState)

/** That this page cannot be paid any more, and the way back to the shop, which is told why. */
export function ended(visit: Visit, how: End, addresses: Addresses): Page {
  const { row, merchant, linkEnd } = visit
  const { http, heading, hint } = ENDS[how]
  const refusal = refusalOfEnd(visit, how)
  return {
    view: 'ended',
    http,
    of: { row, merchant },
    data: () => ({
      heading,
      hint: linkEnd ? LINK_HINTS[linkEnd] : hint,
      is_of_link: linkEnd !== undefined,
      // Nobody has made a mistake.
      is_calm: linkEnd !== undefined || how === 'expired',
      error_name: refusal.entry.name,
      back: row.error_url === null ? null : returnAddress(row, merchant, addresses, refusal),
    }),
  }
}

/** That a payment link takes no payment any more, or not this one. */
export const endedLink = (row: ShownRow, merchant: Merchant, end: LinkEnd): Page => ({
  view: 'ended',
  http: ENDS['link over'].http,
  of: { row, merchant },
  data: () => ({
    heading: ENDS['link over'].heading,
    hint: LINK_HINTS[end],
    is_of_link: true,
    is_calm: true,
    error_name: linkEnded(end).entry.name,
    back: null,
  }),
})

/** What the shop is told. */
export const refusalOfEnd = (visit: Visit, how: End): GatewayError => REFUSALS[how](visit)

const REFUSALS: Readonly<Record<End, (visit: Visit) => GatewayError>> = {
  expired: () =>
    new GatewayError('errors.transaction.timeout', {
      explain: "The page has expired; see the merchant's setting page_minutes",
    }),
  'used up': () =>
    new GatewayError('errors.payment.failed', {
      explain: "The page has no attempts left; see the merchant's setting page_tries",
    }),
  'link over': ({ linkEnd = 'closed' }) => linkEnded(linkEnd),
  unpayable: ({ row }) => refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
}
