import { type NextFunction, type Request, type Response, Router } from 'express'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { readForm } from '../../parsing/create-transaction.ts'
import { readPageErrorReport } from '../../parsing/page-error-report.ts'
import { isReturnFromBank, readPageAction, readPageToken } from '../../parsing/page-payment.ts'
import { authenticateByHash } from '../../parsing/request-hash.ts'
import { createTransaction } from '../../payments/create.ts'
import { findDecline, type PaymentResult } from '../../payments/result.ts'
import { createHref } from '../../serializers/transaction.ts'
import { createWork, getExchange, getMerchant, getSender } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { notePageLocale, receiveForm, receiveParameters } from '../http/receive.ts'
import { addNotices, asForeseenError, noteRefusal } from '../http/refuse.ts'
import {
  createAddressAfterBank,
  createChallengeAddress,
  createRefusedOrderAddress,
  createReturnAddress,
  hasOwnPage,
} from './addresses.ts'
import { createUnknownAddressHandler, showRefusal } from './error-page.ts'
import { createPageSender, type HostedDependencies, type PaymentPage } from './page.ts'
import { takeStep, type VisitAction } from './steps.ts'
import { loadStoryPage } from './test-helper.ts'
import { findVisit, isForeignForm, type PaymentVisit } from './visit.ts'
import { renderAfterBankPage } from './waiting-pages.ts'

/**
 * Serves `{pay_url}/v1/form`, where a payer pays without the merchant's server (specification:
 * Endpoints).
 */
export function createHostedRouter(dependencies: HostedDependencies): Router {
  const { authenticator, assetAddresses, returnChecks } = dependencies
  const sendPage = createPageSender(assetAddresses)
  const page: PaymentPage = { ...dependencies, sendPage, inPlace: false }
  const onVisit =
    (answer: (page: PaymentPage, visit: PaymentVisit) => Promise<unknown>) =>
    async ({ params }: Request, response: Response) =>
      answer(page, await findVisit(params.token, response, authenticator))
  const router = Router()
  router.use(returnChecks.afterRedirect, receiveParameters, notePageLocale)
  router.post('/', (_request, response, next) => receivePageInPlace(page, response, next))
  router.post('/', receiveForm(dependencies), (_request, response) => receiveOrder(page, response))
  router.get('/:token', onVisit(show))
  router.get('/:token/back', onVisit(followBackLink))
  router.get('/:token/result', onVisit(leaveBankPage))
  router.get('/:token/story', onVisit(showStory))
  router.post('/:token/trouble', onVisit(receiveTrouble))
  router.post('/:token', onVisit(receiveAction))
  router.use(
    createUnknownAddressHandler(sendPage, [
      [/^\/$/, 'POST'],
      [/^\/[^/]+\/?$/, 'GET, HEAD, POST'],
      [/^\/[^/]+\/(?:back|result|story)\/?$/, 'GET, HEAD'],
    ]),
    showRefusal(sendPage),
  )
  return router
}

const show = (page: PaymentPage, visit: PaymentVisit) => takeStep(page, visit, 'show')

const followBackLink = (page: PaymentPage, visit: PaymentVisit) => takeStep(page, visit, 'return')

const receiveAction = (page: PaymentPage, visit: PaymentVisit) =>
  takeStep(page, visit, readVisitAction(visit))

async function showStory({ keptRequests, sendPage }: PaymentPage, visit: PaymentVisit) {
  await keptRequests.settle()
  await sendPage(visit.response, await loadStoryPage(visit))
}

/** Reads the action of a form; one from a foreign page has no effect. */
const readVisitAction = (visit: PaymentVisit): VisitAction =>
  isForeignForm(visit) ? 'show' : readPageAction(getExchange(visit.response).parameters)

/** Takes a step whose page is shown at the address of the order form (setting `form_in_place`). */
function takeStepInPlace(page: PaymentPage, visit: PaymentVisit, action: VisitAction) {
  const sendPage = createPageSender(page.assetAddresses, visit)
  return takeStep({ ...page, sendPage, inPlace: true }, visit, action)
}

/** Receives a form of a page that is shown at this address. */
async function receivePageInPlace(page: PaymentPage, response: Response, next: NextFunction) {
  const { parameters } = getExchange(response)
  const token = readPageToken(parameters)
  if (token === undefined) return next()
  const visit = await findVisit(token, response, page.authenticator)
  const action = readVisitAction(visit)
  if (action === 'show' || !isReturnFromBank(parameters))
    return takeStepInPlace(page, visit, action)
  const address = await createAddressAfterBank(page.templates, visit)
  if (address === visit.href) return takeStepInPlace(page, visit, 'show')
  response.redirect(303, address)
}

/** Receives an order that the shop's page posts in the payer's browser. */
async function receiveOrder(page: PaymentPage, response: Response): Promise<void> {
  const { parameters } = getExchange(response)
  const sender = getSender(response)
  // No redirect happens before the hash has authenticated the merchant.
  const proof = authenticateByHash(parameters, { ...sender, loggedIn: false })
  try {
    const command = maskCardNumbers(response, readForm(parameters, sender, proof))
    await answerOrder(page, response, await createTransaction(createWork(response), command))
  } catch (error) {
    const refusal = asForeseenError(error)
    const address = await createRefusedOrderAddress(page.templates, response, refusal)
    if (address === undefined) throw error
    noteRefusal(response, refusal)
    response.redirect(303, address)
  }
}

/** Sends the payer of a new payment to the page, the bank or the shop. */
async function answerOrder(
  page: PaymentPage,
  response: Response,
  paid: PaymentResult,
): Promise<void> {
  const { row, notices } = paid
  const merchant = getMerchant(response)
  const refusal = findDecline(paid)
  if (refusal) noteRefusal(response, refusal)
  addNotices(response, notices)
  const { parameters, service } = getExchange(response)
  const payer = { response, row, merchant }
  if (paid.kind !== 'challenge' && row.status !== 'pending')
    return response.redirect(303, await createReturnAddress(page.templates, payer, refusal))
  if (merchant.settings.form_in_place && !hasOwnPage(response, row)) {
    const visit = await findVisit(row.href_token, response, page.authenticator)
    return takeStepInPlace(page, visit, 'show')
  }
  const address =
    paid.kind === 'challenge' ? createChallengeAddress(payer) : createHref(row, service.addresses)
  const lang = asLocale(parameters.lang)
  response.redirect(303, redirectUrl(address, { lang }))
}

/** Leads the payer on after the bank: to the shop, to the page, or out of the bank's frame. */
async function leaveBankPage(page: PaymentPage, visit: PaymentVisit): Promise<void> {
  const { response, merchant } = visit
  if (merchant.settings.form_in_place) return page.sendPage(response, renderAfterBankPage(visit))
  const lang = asLocale(getExchange(response).parameters.lang)
  response.redirect(303, await createAddressAfterBank(page.templates, visit, lang))
}

/** Records a problem that the script on a merchant's own page reports. */
async function receiveTrouble({ templates }: PaymentPage, visit: PaymentVisit): Promise<void> {
  const { response, row, merchant } = visit
  const { what, reason } = readPageErrorReport(getExchange(response).parameters)
  await templates.toldByPage(createWork(response, merchant), row, what, reason)
  response.status(204).end()
}
