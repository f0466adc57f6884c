import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import type { Page } from './page.ts'
import { type PageState, refusalOfAmount } from './page-state.ts'
import { returnAddress } from './return-address.ts'
import type { Visit } from './visit.ts'

/** How a page ends without a payment, or cannot begin with one. */
const ENDS = {
  expired: { http: 410, heading: 'expired', hint: 'expired_hint' },
  'used up': { http: 410, heading: 'used_up', hint: 'used_up_hint' },
  unpayable: { http: 400, heading: 'unpayable', hint: 'unpayable_hint' },
} as const

export type End = keyof typeof ENDS

export const isEnd = (pageState: PageState): pageState is End => Object.hasOwn(ENDS, pageState)

/** That this page cannot be paid any more, and the way back to the shop, which is told why. */
export function ended({ row, merchant }: Visit, how: End, addresses: Addresses): Page {
  const { http, heading, hint } = ENDS[how]
  const refusal = refusalOfEnd(row, how)
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
export const refusalOfEnd = (row: TransactionRow, how: End): GatewayError => REFUSALS[how](row)

const REFUSALS: Readonly<Record<End, (row: TransactionRow) => GatewayError>> = {
  expired: () =>
    new GatewayError('errors.transaction.timeout', {
      explain: "The page's time is over; see the merchant's setting page_minutes",
    }),
  'used up': () =>
    new GatewayError('errors.payment.failed', {
      explain: "The page has asked the bank as often as the merchant's setting page_tries allows",
    }),
  unpayable: (row) => refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
}
