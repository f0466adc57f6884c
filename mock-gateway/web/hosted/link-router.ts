import { randomBytes } from 'node:crypto'
import { type Request, type Response, Router } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isLinkToken, readAttempt } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { endOfLink, type LinkEnd } from '../../domain/order/payment-link.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { beginLinkPayment } from '../../payments/pay-link.ts'
import {
  type CountedLink,
  createLinkEndedError,
  findCountedLinks,
} from '../../payments/payment-links.ts'
import { createHref } from '../../serializers/transaction.ts'
import { findOne, findRow } from '../../storage/rows.ts'
import type { PaymentLinkRow } from '../../storage/tables/payment-links.ts'
import { createWork, getClient, getExchange } from '../http/exchange.ts'
import { notePageLocale, receiveParameters } from '../http/receive.ts'
import { html, renderHiddenFields } from '../pages/html.ts'
import { chooseAddress } from './addresses.ts'
import { createUnknownAddressHandler, sendEndedPage, showRefusal } from './error-page.ts'
import { describePlan } from './method-forms.ts'
import { renderAmountLine, renderOrderPage } from './order.ts'
import {
  createPageSender,
  type HostedDependencies,
  type HostedPage,
  renderLocalTime,
  type SendHostedPage,
} from './page.ts'
import { isForeign } from './visit.ts'

interface LinkVisit {
  readonly response: Response
  readonly link: CountedLink
  readonly merchant: Merchant
}

/**
 * Serves `{pay_url}/pay`, the short addresses of payment links (decision 99). A GET creates
 * nothing, since chat programs open links; the payment is created when the payer presses the
 * button.
 */
export function linkRouter({ authenticator, assetAddresses }: HostedDependencies): Router {
  const sendPage = createPageSender(assetAddresses)
  const onVisit =
    (answer: (visit: LinkVisit) => Promise<unknown>) =>
    async ({ params }: Request<{ token: string }>, response: Response) => {
      const visit = await findVisit(params.token, response, authenticator)
      const { row, taken } = visit.link
      const end = endOfLink(row, taken, getExchange(response).getNow(row.merchant_id))
      await (end ? sendEnd(sendPage, visit, end) : answer(visit))
    }
  const show = async (visit: LinkVisit) => sendPage(visit.response, await linkPage(visit))
  // The payer did not press a button of a foreign page.
  const press = (visit: LinkVisit) =>
    isForeign(visit.response) ? show(visit) : payLink(sendPage, visit)
  const router = Router()
  router.use(receiveParameters, notePageLocale)
  router.get('/:token', onVisit(show))
  router.post('/:token', onVisit(press))
  router.use(
    createUnknownAddressHandler(sendPage, [[/^\/[^/]+\/?$/, 'GET, HEAD, POST']]),
    showRefusal(sendPage),
  )
  return router
}

/** @throws errors.not_found (196) */
async function findVisit(
  token: string,
  response: Response,
  authenticator: Authenticator,
): Promise<LinkVisit> {
  const { db } = getExchange(response).service.database
  const row = isLinkToken(token) ? await findOne(db, 'payment_links', { token }) : undefined
  const merchant = row && (await authenticator.find(row.merchant_id))
  const [link] = row ? await findCountedLinks(db, [row]) : []
  if (link && merchant) return { response, link, merchant }
  throw new GatewayError('errors.not_found', { explain: 'No payment link has this address.' })
}

/** Creates a payment, and leads the payer to its page. */
async function payLink(sendPage: SendHostedPage, visit: LinkVisit): Promise<void> {
  const { response, merchant, link } = visit
  const { parameters, service } = getExchange(response)
  const attempt = readAttempt(text(parameters, 'attempt'))
  try {
    const row = await beginLinkPayment(createWork(response, merchant), link.row, {
      attempt,
      client: getClient(response.req),
    })
    response.redirect(303, chooseAddress(createHref(row, service.addresses), parameters))
  } catch (error) {
    // Another payment has paid the order.
    const isPaid =
      error instanceof GatewayError && error.entry.name === 'errors.payment_ref.processed'
    if (!isPaid) throw error
    await sendEnd(sendPage, visit, 'used_up')
  }
}

/** A link's page shows no reference: each of its payments has its own. */
const withoutRef = (row: PaymentLinkRow) => ({ ...row, payment_ref: '' })

const sendEnd = (
  sendPage: SendHostedPage,
  { response, link, merchant }: LinkVisit,
  end: LinkEnd,
): Promise<void> =>
  sendEndedPage(
    sendPage,
    { response, row: withoutRef(link.row), merchant, linkEnd: end },
    { state: 'link_over', refusal: createLinkEndedError(end) },
    null,
  )

async function linkPage({ response, link: { row }, merchant }: LinkVisit): Promise<HostedPage> {
  const { db } = getExchange(response).service.database
  const found = await findRow(db, 'plans', merchant.id, row.plan_id ?? undefined)
  return renderOrderPage({ row: withoutRef(row), merchant }, (context) => {
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
