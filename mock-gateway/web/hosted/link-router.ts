import { randomBytes } from 'node:crypto'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isLinkToken, readAttempt } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { formatAmount } from '../../domain/money/money.ts'
import { endOfLink } from '../../domain/order/payment-link.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { beginLinkPayment } from '../../payments/pay-link.ts'
import { type CountedLink, findCountedLinks } from '../../payments/payment-links.ts'
import { createHref } from '../../serializers/transaction.ts'
import { findOne, findRow } from '../../storage/rows.ts'
import type { PaymentLinkRow } from '../../storage/tables/payment-links.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { createWork, getClient, getExchange } from '../http/exchange.ts'
import { notePageLocale, receiveParameters } from '../http/receive.ts'
import { writeRefusal } from '../http/refuse.ts'
import { html, renderHiddenFields } from '../pages/html.ts'
import { chooseAddress } from './addresses.ts'
import { endOfLinkPage, renderEndedPage } from './ended-page.ts'
import { createUnknownAddressHandler, showRefusal } from './error-page.ts'
import { describePlan } from './method-forms.ts'
import { type OrderRow, renderAmountLine, renderOrderPage } from './order.ts'
import {
  createPageSender,
  type HostedDependencies,
  type HostedPage,
  renderLocalTime,
} from './page.ts'
import { ownOrigins } from './visit.ts'

/** A visit of a payment link. */
interface LinkVisit {
  readonly link: CountedLink
  readonly merchant: Merchant
  /** Epoch milliseconds by the merchant's clock. */
  readonly now: number
}

/**
 * Serves `{pay_url}/pay`, the short addresses of payment links (decision 99). A GET creates
 * nothing, since chat programs open links; the payment is created when the payer presses the
 * button.
 */
export function linkRouter({
  addresses,
  authenticator,
  assetAddresses,
}: HostedDependencies): Router {
  const sendPage = createPageSender(assetAddresses)
  const own = ownOrigins(addresses)
  const router = Router()
  router.use(receiveParameters, notePageLocale)

  const show: RequestHandler<{ token: string }> = async (request, response) => {
    const visit = await findVisit(request, response)
    if (!(await sendEnd(response, visit))) await sendPage(response, await linkPage(response, visit))
  }
  router.get('/:token', show)

  router.post('/:token', async (request, response, next) => {
    // The payer did not press the button.
    if (isFromForeignPage(request, own)) return show(request, response, next)
    const visit = await findVisit(request, response)
    if (await sendEnd(response, visit)) return
    const { parameters } = getExchange(response)
    const pressed = {
      attempt: readAttempt(text(parameters, 'attempt')),
      client: getClient(request),
    }
    try {
      const row = await beginLinkPayment(
        createWork(response, visit.merchant),
        visit.link.row,
        pressed,
      )
      response.redirect(303, chooseAddress(createHref(row, addresses), parameters))
    } catch (error) {
      // Another payment has paid the order.
      const isPaid =
        error instanceof GatewayError && error.entry.name === 'errors.payment_ref.processed'
      if (!isPaid || !(await sendEnd(response, visit, 'used_up'))) throw error
    }
  })

  /** @throws errors.not_found (196) */
  async function findVisit(
    { params }: Request<{ token: string }>,
    response: Response,
  ): Promise<LinkVisit> {
    const { service, getNow } = getExchange(response)
    const { db } = service.database
    const row = isLinkToken(params.token)
      ? await findOne(db, 'payment_links', { token: params.token })
      : undefined
    const merchant = row && (await authenticator.find(row.merchant_id))
    const [link] = row ? await findCountedLinks(db, [row]) : []
    if (link && merchant) return { link, merchant, now: getNow(merchant.id) }
    throw new GatewayError('errors.not_found', { explain: 'No payment link has this address.' })
  }

  /** Answers with the end page of a link that has ended. */
  async function sendEnd(
    response: Response,
    { link: { row, taken }, merchant, now }: LinkVisit,
    how = endOfLink(row, taken, now),
  ) {
    if (!how) return false
    const end = endOfLinkPage(how)
    writeRefusal(response, end.refusal)
    await sendPage(response, renderEndedPage({ row: asOrder(row), merchant }, end, null))
    return true
  }

  router.use(
    createUnknownAddressHandler(sendPage, [[/^\/[^/]+\/?$/, 'GET, HEAD, POST']]),
    showRefusal(sendPage),
  )
  return router
}

async function linkPage(
  response: Response,
  { link: { row }, merchant }: LinkVisit,
): Promise<HostedPage> {
  const { db } = getExchange(response).service.database
  const found = await findRow(db, 'plans', merchant.id, row.plan_id ?? undefined)
  return renderOrderPage({ row: asOrder(row), merchant }, (context) => {
    const { locale, text, order } = context
    const plan = found && describePlan(found, row.currency, locale)
    const title = `${text.title} ${order.merchant}`
    const { expires_at } = row
    return {
      title,
      main: html`<main>
<h1>${title}</h1>
${renderAmountLine(context)}
${row.description && html`<p class="for">${row.description}</p>`}
${plan && html`<p>${plan.name} <span class="quiet">${plan.price} ${plan.interval}</span></p>`}
${expires_at && html`<p class="quiet">${text.link_until} ${renderLocalTime(expires_at, locale)}</p>`}
<p class="quiet">${text.link_hint}</p>
${order.test ? html`<p class="callout waiting">${text.test}</p>` : null}
<form method="post">${renderHiddenFields({ attempt: randomBytes(16).toString('base64url') })}
<button class="button">${text.link_pay}</button></form>
</main>`,
    }
  })
}

/** Converts a link to the order it asks for. */
const asOrder = ({ amount, currency, test }: PaymentLinkRow): OrderRow => ({
  amount,
  amount_text: formatAmount(amount),
  currency,
  payment_ref: '',
  items: null,
  vat_amount: null,
  test,
  payment_request: {},
})
