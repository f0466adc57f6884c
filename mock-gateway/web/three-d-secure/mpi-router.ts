import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { readClaimedRef } from '../../acquirer/three-d-secure/signed-answer.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { readCreateTransaction } from '../../parsing/create-transaction.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { authenticateByHash } from '../../parsing/request-hash.ts'
import { acceptAnswer } from '../../payments/authentication/answer.ts'
import { authenticateOrder } from '../../payments/authentication/authenticate-order.ts'
import { findCurrentAuthentication } from '../../payments/authentication/end.ts'
import { createWork, getExchange, getSender } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import {
  type CallReceiver,
  notePageLocale,
  receiveForm,
  receiveParameters,
} from '../http/receive.ts'
import {
  addNotices,
  asGatewayError,
  createErrorBody,
  notFound,
  writeRefusal,
} from '../http/refuse.ts'
import { renderResult } from './bank-pages.ts'
import {
  type BankPages,
  createBankPages,
  refusalPage,
  type ThreeDSecureDependencies,
} from './page.ts'
import { createMessage, createResultAddress } from './result.ts'
import { findVisit, readNonce, readTokenKey, unknownAuthentication } from './visit.ts'

/**
 * Serves `{pay_url}/v1/mpi_js`: start (observed: 5) and end of the browser library's window, and
 * the return from the bank.
 */
export function createMpiRouter(all: ThreeDSecureDependencies & CallReceiver): Router {
  const window = createBankPages(all)
  const router = Router()
  router.use(receiveParameters, notePageLocale)
  router.post(
    '/',
    receiveForm(all),
    (request: Request, response: Response) => begin(window, request, response),
    tellOpener(window),
  )
  router.post('/return', (_request, response) => comeBack(window, response))
  router.get('/result/:token', (request, response) =>
    tellResult(window, request.params.token, response),
  )
  router.use(notFound)
  router.use(refusalPage(window.sendPage))
  return router
}

async function begin(
  { addresses }: BankPages,
  request: Request,
  response: Response,
): Promise<void> {
  const { parameters } = getExchange(response)
  const sender = getSender(response)
  const proof = authenticateByHash(parameters, { ...sender, loggedIn: false })
  const order = maskCardNumbers(response, readCreateTransaction(parameters, sender, { proof }))
  addNotices(response, order.notices)
  const row = await authenticateOrder(createWork(response), {
    order,
    nonce: readNonce(text(parameters, 'mpi_nonce')),
    origin: getOrigin(request),
    locale: text(parameters, 'locale'),
  })
  response.redirect(
    303,
    row.status === 'done'
      ? await createResultAddress(createWork(response).queries, row, addresses)
      : `${addresses.pay}/v1/acs/${row.token}`,
  )
}

/**
 * Reports an invalid order to the page that opened the window, if it sent a nonce, with the
 * explanation, which that page could not read from a header.
 */
const tellOpener =
  ({ sendPage }: BankPages): ErrorRequestHandler =>
  async (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') return next(error)
    writeRefusal(response, refusal)
    const nonce = readNonce(text(getExchange(response).parameters, 'mpi_nonce'))
    const origin = getOrigin(request)
    const { name: error_name, code, description } = createErrorBody(response, refusal)
    const explain = response.getHeader('Mondido-Explain')
    const failure = {
      error: error_name,
      code,
      description,
      ...(explain !== undefined && { explain }),
    }
    const message = { event: 'mpi', success: false, ...(nonce && { nonce }), ...failure } as const
    await sendPage(response, renderResult(message, origin), {}, origin)
  }

/** Handles the bank's answer, sent by the payer's browser. */
async function comeBack(
  { addresses, authenticator }: BankPages,
  response: Response,
): Promise<void> {
  const { parameters, service } = getExchange(response)
  const answer = text(parameters, 'cres')
  const ref = answer === undefined ? undefined : readClaimedRef(answer)
  const visit = await findVisit(response, authenticator, ref === undefined ? undefined : { ref })
  if (answer === undefined || !visit)
    throw new GatewayError('errors.mpi.invalid', {
      explain: 'cres does not belong to an authentication of this gateway.',
    })
  const { row, merchant } = visit
  const work = createWork(response, merchant)
  const lang = asLocale(parameters.lang)
  const on = redirectUrl(await createResultAddress(service.database.db, row, addresses), { lang })
  response.locals.refused = { continue_url: on, ...visit }
  await acceptAnswer(work, row, answer)
  // A bank that answers twice: the second answer changes nothing.
  if (row.answer === 'replay') await acceptAnswer(work, row, answer)
  response.redirect(303, on)
}

/** Tells the library's window its result. */
async function tellResult(
  { addresses, authenticator, sendPage }: BankPages,
  token: string,
  response: Response,
) {
  const visit = await findVisit(response, authenticator, readTokenKey(token))
  if (!visit || visit.row.request_hash === null) throw unknownAuthentication()
  const { row, merchant } = visit
  const current = await findCurrentAuthentication(createWork(response, merchant), row)
  if (current.status === 'open')
    return response.redirect(303, `${addresses.pay}/v1/acs/${row.token}`)
  await sendPage(response, renderResult(createMessage(current, merchant), row.origin), visit)
}

/** Returns the origin of the posting page; undefined if the browser hides it. */
function getOrigin({ headers: { origin } }: Request): string | undefined {
  const url = origin === undefined ? null : URL.parse(origin)
  return url && /^https?:$/.test(url.protocol) && url.origin === origin ? origin : undefined
}
