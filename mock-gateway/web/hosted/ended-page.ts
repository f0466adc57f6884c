import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { linkEnded } from '../../payments/payment-links.ts'
import type { OrderRow } from './order.ts'
import type { HostedPage } from './page.ts'
import { type PageState, refusalOfAmount } from './page-state.ts'
import { returnAddress } from './return-address.ts'
import type { HostedTexts } from './texts/words.ts'
import type { PaymentVisit } from './visit.ts'

/** Pages of a payment that can no longer be paid. */
const ENDS = {
  expired: { http: 410, heading: 'expired', hint: 'expired_hint' },
  'used up': { http: 410, heading: 'used_up', hint: 'used_up_hint' },
  unpayable: { http: 400, heading: 'unpayable', hint: 'unpayable_hint' },
  'link over': { http: 410, heading: 'link_over', hint: 'link_closed_hint' },
} as const

/** Hints about an ended payment link. */
const LINK_HINTS = {
  closed: 'link_closed_hint',
  expired: 'link_expired_hint',
  used_up: 'link_used_up_hint',
} as const satisfies Record<LinkEnd, keyof HostedTexts>

export type PageEnd = keyof typeof ENDS

export const isEnd = (pageState: PageState): pageState is PageEnd => Object.hasOwn(ENDS, pageState)

/**
 * Builds the page of a payment that can no longer be paid, with a link back to the shop, which gets
 * the error.
 */
export function endedPage(visit: PaymentVisit, how: PageEnd, addresses: Addresses): HostedPage {
  const { row, merchant, linkEnd } = visit
  const { http, heading, hint } = ENDS[how]
  const refusal = errorOfEnd(visit, how)
  return {
    view: 'ended',
    http,
    of: { row, merchant },
    data: () => ({
      heading,
      hint: linkEnd ? LINK_HINTS[linkEnd] : hint,
      is_of_link: linkEnd !== undefined,
      // Nobody made a mistake.
      is_calm: linkEnd !== undefined || how === 'expired',
      error_name: refusal.entry.name,
      back: row.error_url === null ? null : returnAddress(row, merchant, addresses, refusal),
    }),
  }
}

/** Builds the page of a payment link that accepts no more payments. */
export const endedLinkPage = (row: OrderRow, merchant: Merchant, end: LinkEnd): HostedPage => ({
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

/** Returns the error for the shop. */
export const errorOfEnd = (visit: PaymentVisit, how: PageEnd): GatewayError => REFUSALS[how](visit)

const REFUSALS: Readonly<Record<PageEnd, (visit: PaymentVisit) => GatewayError>> = {
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
