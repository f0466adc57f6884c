import { type ErrorRequestHandler, type Request, type Response, Router } from 'express'
import { readClaimedRef } from '../../acquirer/three-d-secure/signed-answer.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
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
  asForeseenError,
  createErrorBody,
  notFound,
  writeRefusal,
} from '../http/refuse.ts'
import { renderResult } from './bank-pages.ts'
import {
  createPageSender,
  refusalPage,
  type SendBankPage,
  type ThreeDSecureDependencies,
} from './page.ts'
import {
  type BankVisit,
  createBankAddress,
  createMessage,
  createResultAddress,
  findVisit,
  readNonce,
  readTokenKey,
  unknownAuthentication,
  withChosenLanguage,
} from './visit.ts'

/**
 * Serves `{pay_url}/v1/mpi_js`: start (observed: 5) and end of the browser library's window, and
 * the return from the bank.
 */
export function createMpiRouter(all: ThreeDSecureDependencies & CallReceiver): Router {
  const { authenticator } = all
  const sendPage = createPageSender(all)
  const router = Router()
  router.use(receiveParameters, notePageLocale)
  router.post('/', receiveForm(all), begin, tellOpener(sendPage))
  router.post('/return', async (_request, response) => {
    const answer = text(getExchange(response).parameters, 'cres')
    const ref = answer === undefined ? undefined : readClaimedRef(answer)
    await comeBack(await findVisit(response, authenticator, ref ? { ref } : undefined), answer)
  })
  router.get('/result/:token', async ({ params }, response) =>
    tellResult(sendPage, await findVisit(response, authenticator, readTokenKey(params.token))),
  )
  router.use(notFound, refusalPage(sendPage))
  return router
}

async function begin(request: Request, response: Response): Promise<void> {
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
  const isDone = row.status === 'done'
  response.redirect(
    303,
    isDone ? await createResultAddress(response, row) : createBankAddress(response, row),
  )
}

/**
 * Reports an invalid order to the page that opened the window, if it sent a nonce, with the
 * explanation, which that page could not read from a header.
 */
const tellOpener =
  (sendPage: SendBankPage): ErrorRequestHandler =>
  async (error, request, response, _next) => {
    const refusal = asForeseenError(error)
    writeRefusal(response, refusal)
    const { name, code, description } = createErrorBody(response, refusal)
    const message = {
      event: 'mpi',
      success: false,
      nonce: readNonce(text(getExchange(response).parameters, 'mpi_nonce')),
      error: name,
      code,
      description,
      explain: response.getHeader('Mondido-Explain'),
    } as const
    const origin = getOrigin(request) ?? null
    await sendPage(response, renderResult(message, origin), { row: { origin, locale: null } })
  }

/** Handles the bank's answer, sent by the payer's browser. */
async function comeBack(visit: BankVisit | undefined, answer: string | undefined): Promise<void> {
  if (answer === undefined || !visit)
    throw new GatewayError('errors.mpi.invalid', {
      explain: 'cres does not belong to an authentication of this gateway.',
    })
  const { response, row, merchant } = visit
  const work = createWork(response, merchant)
  const on = withChosenLanguage(response, await createResultAddress(response, row))
  response.locals.refused = { continue_url: on, row, merchant }
  await acceptAnswer(work, row, answer)
  // A bank that answers twice: the second answer changes nothing.
  if (row.answer === 'replay') await acceptAnswer(work, row, answer)
  response.redirect(303, on)
}

/** Tells the library's window its result. */
async function tellResult(sendPage: SendBankPage, visit: BankVisit | undefined) {
  if (!visit || visit.row.request_hash === null) throw unknownAuthentication()
  const { response, row, merchant } = visit
  const current = await findCurrentAuthentication(createWork(response, merchant), row)
  if (current.status === 'open') return response.redirect(303, createBankAddress(response, row))
  await sendPage(response, renderResult(createMessage(current, merchant), row.origin), visit)
}

/** Returns the origin of the posting page; undefined if the browser hides it. */
function getOrigin({ headers: { origin } }: Request): string | undefined {
  const url = origin === undefined ? null : URL.parse(origin)
  return url && /^https?:$/.test(url.protocol) && url.origin === origin ? origin : undefined
}
