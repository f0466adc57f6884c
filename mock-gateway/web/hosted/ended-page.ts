import { GatewayError } from '../../domain/errors/errors.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { linkEnded } from '../../payments/payment-links.ts'
import { html } from '../pages/html.ts'
import { amountLine, header, type MerchantOrder, orderPage } from './order.ts'
import { backLink, type HostedPage, narrowDocument } from './page.ts'
import { refusalOfAmount } from './page-state.ts'
import type { HostedTexts } from './texts/sv.ts'
import type { PaymentVisit } from './visit.ts'

/** How a payment or a payment link can no longer be paid. */
interface End {
  readonly http: 400 | 410
  readonly heading: keyof HostedTexts & ('expired' | 'used_up' | 'unpayable' | 'link_over')
  readonly hint: (text: HostedTexts) => string
  /** The payer made no mistake. */
  readonly isCalm: boolean
  /** The error for the shop. */
  readonly refusal: GatewayError
}

/** Returns the end of a payment link. */
export const endOfLinkPage = (end: LinkEnd): End => ({
  http: 410,
  heading: 'link_over',
  hint: (text) => text.link_ended[end],
  isCalm: true,
  refusal: linkEnded(end),
})

/** Returns the end of a payment; undefined while it can be paid, or if it is paid. */
export function findEnd({ pageState, linkEnd, row }: PaymentVisit): End | undefined {
  if (pageState === 'link over') return endOfLinkPage(linkEnd ?? 'closed')
  if (pageState === 'expired')
    return {
      http: 410,
      heading: 'expired',
      hint: (text) => text.expired_hint,
      isCalm: true,
      refusal: new GatewayError('errors.transaction.timeout', {
        explain: "The page has expired. See the merchant's setting page_minutes.",
      }),
    }
  if (pageState === 'used up')
    return {
      http: 410,
      heading: 'used_up',
      hint: (text) => text.used_up_hint,
      isCalm: false,
      refusal: new GatewayError('errors.payment.failed', {
        explain: "The page has no attempts left. See the merchant's setting page_tries.",
      }),
    }
  if (pageState === 'unpayable')
    return {
      http: 400,
      heading: 'unpayable',
      hint: (text) => text.unpayable_hint,
      isCalm: false,
      refusal: refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
    }
  return undefined
}

/** Builds the page of an end. @param back the shop, which gets the error; null without an address */
export const endedPage = (
  of: MerchantOrder,
  { http, heading, hint, isCalm, refusal }: End,
  back: string | null,
): HostedPage =>
  orderPage(
    of,
    (context, order) => {
      const { text } = context
      const title = `${text[heading]} – ${order.merchant}`
      return narrowDocument(context, {
        title: isCalm ? title : `${text.error_prefix} ${title}`,
        header: header(context, order),
        main: html`<main>
<h1>${text[heading]}</h1>
${amountLine(order)}
<p class="${isCalm ? 'callout' : 'callout bad'}"
  role="${isCalm ? 'status' : 'alert'}" data-error="${refusal.entry.name}">${hint(text)}</p>
${backLink(context, back)}
</main>`,
      })
    },
    { http },
  )
