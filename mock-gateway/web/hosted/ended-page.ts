import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { linkEnded } from '../../payments/payment-links.ts'
import { html, type SafeHtml } from '../pages/html.ts'
import { type OrderRow, type OrderView, shownOrder } from './order.ts'
import type { HostedPage } from './page.ts'
import { type PageState, refusalOfAmount } from './page-state.ts'
import { returnAddress } from './return-address.ts'
import type { HostedTexts } from './texts/words.ts'
import { amountLine, backLink, type HostedContext, header, payerDocument } from './views/sheet.ts'
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
    http,
    of: { row, merchant },
    view: (context) =>
      endedView(context, shownOrder(row, merchant, context.locale), {
        heading,
        hint: linkEnd ? LINK_HINTS[linkEnd] : hint,
        // The payer made no mistake.
        isCalm: linkEnd !== undefined || how === 'expired',
        error: refusal.entry.name,
        back: row.error_url === null ? null : returnAddress(row, merchant, addresses, refusal),
      }),
  }
}

/** Builds the page of a payment link that accepts no more payments. */
export const endedLinkPage = (row: OrderRow, merchant: Merchant, end: LinkEnd): HostedPage => ({
  http: ENDS['link over'].http,
  of: { row, merchant },
  view: (context) =>
    endedView(context, shownOrder(row, merchant, context.locale), {
      heading: ENDS['link over'].heading,
      hint: LINK_HINTS[end],
      isCalm: true,
      error: linkEnded(end).entry.name,
      back: null,
    }),
})

/** Text for the payer about the end. */
interface ShownEnd {
  readonly heading: (typeof ENDS)[PageEnd]['heading']
  readonly hint: (typeof ENDS)[PageEnd]['hint'] | (typeof LINK_HINTS)[LinkEnd]
  readonly isCalm: boolean
  readonly error: string
  readonly back: string | null
}

function endedView(context: HostedContext, order: OrderView, end: ShownEnd): SafeHtml {
  const { text } = context
  const { heading, hint, isCalm, error, back } = end
  const title = `${text[heading]} – ${order.merchant}`
  return payerDocument(context, {
    title: isCalm ? title : `${text.error_prefix} ${title}`,
    body: html`<div class="sheet narrow">
${header(context, order)}
<main>
<h1>${text[heading]}</h1>
${amountLine(order)}
<p class="${isCalm ? 'note calm' : 'error'}"
  role="${isCalm ? 'status' : 'alert'}" data-error="${error}">${text[hint]}</p>
${backLink(context, back)}
</main>
</div>`,
  })
}

/** Returns the error for the shop. */
export const errorOfEnd = (visit: PaymentVisit, how: PageEnd): GatewayError => REFUSALS[how](visit)

const REFUSALS: Readonly<Record<PageEnd, (visit: PaymentVisit) => GatewayError>> = {
  expired: () =>
    new GatewayError('errors.transaction.timeout', {
      explain: "The page has expired. See the merchant's setting page_minutes.",
    }),
  'used up': () =>
    new GatewayError('errors.payment.failed', {
      explain: "The page has no attempts left. See the merchant's setting page_tries.",
    }),
  'link over': ({ linkEnd = 'closed' }) => linkEnded(linkEnd),
  unpayable: ({ row }) => refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
}
