import type { ErrorRequestHandler, Request, RequestHandler } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { getExchange } from '../http/exchange.ts'
import { noteLocale } from '../http/receive.ts'
import { asGatewayError, notFound, writeRefusal } from '../http/refuse.ts'
import { html } from '../pages/html.ts'
import { type HostedPage, renderBackLink, type SendHostedPage } from './page.ts'
import { formatRefusal } from './texts.ts'

/** Errors of a link that leads to no payment. */
const UNKNOWN: readonly string[] = ['errors.transaction.not_found', 'errors.not_found']

/**
 * Builds a page that is not about one payment, with a link back to the shop if the referrer is
 * known; otherwise with a button to the previous page, which the page's script shows.
 */
const renderErrorPage = (refusal: GatewayError, request: Request): HostedPage => ({
  view: (context) => {
    const { locale, text, requestId } = context
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
<p class="quiet">${text.error_id} ${requestId}</p>
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
  async (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') return next(error)
    writeRefusal(response, refusal)
    const [, token = ''] = request.path.split('/')
    const { db } = getExchange(response).service.database
    const row = isHrefToken(token)
      ? await findTransactionByHrefToken(db, token).catch(() => undefined)
      : undefined
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
