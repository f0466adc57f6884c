import type { Response } from 'express'
import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { createLinkEndedError } from '../../payments/payment-links.ts'
import { writeRefusal } from '../http/refuse.ts'
import { html } from '../pages/html.ts'
import {
  type MerchantOrder,
  type OrderContext,
  renderAmountLine,
  renderOrderPage,
  renderTestNote,
} from './order.ts'
import { renderBackLink, type SendHostedPage } from './page.ts'
import type { HostedTexts } from './texts/sv.ts'
import { type PageEnd, type PageState, type PaymentVisit, refusalOfAmount } from './visit.ts'

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
  refusal: createLinkEndedError(end),
})

const refuse = (name: ErrorName, explain: string) => new GatewayError(name, { explain })

/** The end of each state in which a payment can no longer be paid. */
const ENDS: Readonly<Record<PageEnd, (visit: PaymentVisit) => End>> = {
  'link over': ({ linkEnd }) => endOfLinkPage(linkEnd ?? 'closed'),
  expired: () => ({
    http: 410,
    heading: 'expired',
    hint: (text) => text.expired_hint,
    isCalm: true,
    refusal: refuse(
      'errors.transaction.timeout',
      "The page has expired. See the merchant's setting page_minutes.",
    ),
  }),
  'used up': () => ({
    http: 410,
    heading: 'used_up',
    hint: (text) => text.used_up_hint,
    isCalm: false,
    refusal: refuse(
      'errors.payment.failed',
      "The page has no attempts left. See the merchant's setting page_tries.",
    ),
  }),
  unpayable: ({ row }) => ({
    http: 400,
    heading: 'unpayable',
    hint: (text) => text.unpayable_hint,
    isCalm: false,
    refusal: refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
  }),
}

/** Returns the end of a payment; undefined while it can be paid, or if it is paid. */
export const findEnd = (visit: PaymentVisit): End | undefined =>
  isEnd(visit.pageState) ? ENDS[visit.pageState](visit) : undefined

const isEnd = (pageState: PageState): pageState is PageEnd => Object.hasOwn(ENDS, pageState)

/** Returns the error for the shop of a payer who leaves the page. */
export const findLeavingRefusal = (visit: PaymentVisit): GatewayError =>
  findEnd(visit)?.refusal ?? refuse('errors.payment.canceled', 'The payer went back to the shop.')

/** Sends the page of an end. @param back the shop, which gets the error; null without an address */
export async function sendEndedPage(
  sendPage: SendHostedPage,
  of: MerchantOrder & { readonly response: Response },
  { http, heading, hint, isCalm, refusal }: End,
  back: string | null,
): Promise<void> {
  const view = (context: OrderContext) => {
    const { text, order } = context
    const title = `${text[heading]} – ${order.merchant}`
    return {
      title: isCalm ? title : `${text.error_prefix} ${title}`,
      main: html`<main>
<h1>${text[heading]}</h1>
${renderAmountLine(context)}
<p class="${isCalm ? 'callout' : 'callout bad'}"
  role="${isCalm ? 'status' : 'alert'}" data-error="${refusal.entry.name}">${hint(text)}</p>
${renderBackLink(context, back)}
${renderTestNote(context)}
</main>`,
    }
  }
  writeRefusal(of.response, refusal)
  await sendPage(of.response.status(http), renderOrderPage(of, view))
}
