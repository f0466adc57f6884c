import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { type ErrorName, GatewayError } from '../../domain/errors/errors.ts'
import { createLinkEndedError } from '../../payments/payment-links.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { getExchange } from '../http/exchange.ts'
import { noteLocale } from '../http/receive.ts'
import { asForeseenError, notFound, writeRefusal } from '../http/refuse.ts'
import { html } from '../pages/html.ts'
import {
  type MerchantOrder,
  type OrderContext,
  renderAmountLine,
  renderOrderPage,
  renderTestNote,
} from './order.ts'
import { type HostedPage, renderBackLink, type SendHostedPage } from './page.ts'
import { formatRefusal } from './texts.ts'
import { type PageEnd, type PageState, type PaymentVisit, refusalOfAmount } from './visit.ts'

/** Errors of a link that leads to no payment. */
const UNKNOWN: readonly string[] = ['errors.transaction.not_found', 'errors.not_found']

/**
 * Builds a page that is not about one payment, with a link back to the shop if the referrer is
 * known; otherwise with a button to the previous page, which the page's script shows.
 */
const renderErrorPage = (refusal: GatewayError, request: Request): HostedPage => ({
  view: (context) => {
    const { locale, text } = context
    const { name } = refusal.entry
    const heading = UNKNOWN.includes(name) ? text.unknown_link : text.sorry
    const previous = html`<p>
<button type="button" class="button" id="previous" hidden>${text.previous}</button></p>`
    return {
      title: `${text.error_prefix} ${heading}`,
      main: html`<main>
<h1>${heading}</h1>
<p class="callout" role="alert" data-error="${name}">${formatRefusal(refusal, locale)}</p>
<p class="quiet">${text.sorry_hint}</p>
${renderBackLink(context, findReferrer(request)) ?? previous}
</main>`,
    }
  },
})

/** Returns the referrer on another host; null if the browser sends none. */
function findReferrer({ headers: { referer = '', host } }: Request): string | null {
  const url = URL.parse(referer)
  return url && /^https?:$/.test(url.protocol) && url.host !== host ? url.href : null
}

/** Shows errors as a page instead of JSON, in the language of the payment's page. */
export const showRefusal =
  (sendPage: SendHostedPage): ErrorRequestHandler =>
  async (error, request, response, _next) => {
    const refusal = asForeseenError(error)
    writeRefusal(response, refusal)
    const [, token = ''] = request.path.split('/')
    const { db } = getExchange(response).service.database
    const row = await findTransactionByHrefToken(db, token).catch(() => undefined)
    noteLocale(request, response, row?.payment_request.locale)
    return sendPage(response, renderErrorPage(refusal, request))
  }

/**
 * Answers unknown addresses of the payment page with a 404 page, or 405 if another method is
 * allowed. Otherwise the API would request a login, and the payer's browser would show a password
 * prompt.
 * @param all allowed methods by address; the first match counts
 * @throws errors.not_found (196)
 */
export const createUnknownAddressHandler =
  (sendPage: SendHostedPage, all: readonly (readonly [RegExp, string])[]): RequestHandler =>
  (request, response, next) => {
    const methods = all.find(([address]) => address.test(request.path))?.[1]
    if (methods === undefined) return notFound(request, response, next)
    // Express answers with the allowed methods.
    if (request.method === 'OPTIONS') return next()
    const refusal = new GatewayError('errors.not_found', {
      explain: `This address accepts only ${methods}.`,
    })
    writeRefusal(response, refusal)
    response.status(405).setHeader('Allow', methods)
    return sendPage(response, renderErrorPage(refusal, request))
  }

/** Why a payment or a payment link can no longer be paid, with the error for the shop. */
interface End {
  readonly state: PageEnd
  readonly refusal: GatewayError
}

const refuse = (name: ErrorName, explain: string) => new GatewayError(name, { explain })

/** The error of each state in which a payment can no longer be paid. */
const END_REFUSALS: Readonly<Record<PageEnd, (visit: PaymentVisit) => GatewayError>> = {
  link_over: ({ linkEnd }) => createLinkEndedError(linkEnd ?? 'closed'),
  expired: () =>
    refuse(
      'errors.transaction.timeout',
      "The page has expired. See the merchant's setting page_minutes.",
    ),
  used_up: () =>
    refuse(
      'errors.payment.failed',
      "The page has no attempts left. See the merchant's setting page_tries.",
    ),
  unpayable: ({ row }) => refusalOfAmount(row) ?? new GatewayError('errors.amount.invalid'),
}

/** Returns the end of a payment; undefined while it can be paid, or if it is paid. */
export function findEnd(visit: PaymentVisit): End | undefined {
  const { pageState: state } = visit
  return isEnd(state) ? { state, refusal: END_REFUSALS[state](visit) } : undefined
}

const isEnd = (state: PageState): state is PageEnd => Object.hasOwn(END_REFUSALS, state)

/** Returns the error for the shop of a payer who leaves the page. */
export const findLeavingRefusal = (visit: PaymentVisit): GatewayError =>
  findEnd(visit)?.refusal ?? refuse('errors.payment.canceled', 'The payer went back to the shop.')

/** Sends the page of an end. @param back the shop, which gets the error; null without an address */
export async function sendEndedPage(
  sendPage: SendHostedPage,
  of: MerchantOrder & Pick<PaymentVisit, 'response' | 'linkEnd'>,
  { state, refusal }: End,
  back: string | null,
): Promise<void> {
  const view = (context: OrderContext) => {
    const { text, order } = context
    const title = `${text[state]} – ${order.merchant}`
    // The payer made no mistake.
    const isCalm = state === 'expired' || state === 'link_over'
    const hint = {
      expired: text.expired_hint,
      used_up: text.used_up_hint,
      unpayable: text.unpayable_hint,
      link_over: text.link_ended[of.linkEnd ?? 'closed'],
    }[state]
    return {
      title: isCalm ? title : `${text.error_prefix} ${title}`,
      main: html`<main>
<h1>${text[state]}</h1>
${renderAmountLine(context)}
<p class="${isCalm ? 'callout' : 'callout bad'}"
  role="${isCalm ? 'status' : 'alert'}" data-error="${refusal.entry.name}">${hint}</p>
${renderBackLink(context, back)}
${renderTestNote(context)}
</main>`,
    }
  }
  writeRefusal(of.response, refusal)
  await sendPage(of.response.status(state === 'unpayable' ? 400 : 410), renderOrderPage(of, view))
}
