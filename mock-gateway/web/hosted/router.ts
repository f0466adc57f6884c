import { type NextFunction, type Request, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { readForm } from '../../parsing/create-transaction.ts'
import { readPageErrorReport } from '../../parsing/page-error-report.ts'
import { isReturnFromBank, readPageAction, readPageToken } from '../../parsing/page-payment.ts'
import { authenticateByHash } from '../../parsing/request-hash.ts'
import { createTransaction } from '../../payments/create.ts'
import { findDecline, type PaymentResult } from '../../payments/result.ts'
import { createHref } from '../../serializers/transaction.ts'
import type { Templates } from '../../templates/templates.ts'
import { createWork, getExchange, getSender } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import {
  type CallReceiver,
  notePageLocale,
  receiveForm,
  receiveParameters,
} from '../http/receive.ts'
import { addNotices, asGatewayError, noteRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { createChallengeAddress, hasOwnPage, returnAddresses } from './addresses.ts'
import { createUnknownAddressHandler, showRefusal } from './error-page.ts'
import { ownPageSender } from './own-page.ts'
import { createPageSender } from './page.ts'
import type { ReturnChecks } from './return-checks.ts'
import { type PaymentPage, takeStep, type VisitAction } from './steps.ts'
import { findVisit, isForeignForm, ownOrigins, type PaymentVisit } from './visit.ts'
import { renderAfterBankPage } from './waiting-pages.ts'

/** Dependencies of the payment page. */
export interface HostedDependencies extends CallReceiver {
  readonly addresses: Addresses
  readonly assetAddresses: () => Promise<AddressOf>
  readonly returnChecks: ReturnChecks
  readonly templates: Templates
}

/**
 * Serves `{pay_url}/v1/form`, where a payer pays without the merchant's server (specification:
 * Endpoints).
 */
export function createHostedRouter(dependencies: HostedDependencies): Router {
  const { returnChecks, templates } = dependencies
  const hosted = createHostedPages(dependencies)
  const { page } = hosted
  const onPage =
    (answer: (visit: PaymentVisit) => Promise<unknown>) =>
    async ({ params }: Request, response: Response) =>
      answer(await hosted.findPage(params.token, response))
  const router = Router()
  router.use(returnChecks.afterRedirect, receiveParameters, notePageLocale)
  router.post('/', (_request, response, next) => receivePageInPlace(hosted, response, next))
  router.post('/', receiveForm(dependencies), (_request, response) =>
    receiveOrder(hosted, response),
  )
  const show = onPage((visit) => takeStep(page, visit, 'show'))
  router.get('/:token', show)
  const back = onPage((visit) => takeStep(page, visit, 'return'))
  router.get('/:token/back', back)
  const result = onPage((visit) => leaveBankPage(hosted, visit))
  router.get('/:token/result', result)
  const trouble = onPage((visit) => receiveTrouble(templates, visit))
  router.post('/:token/trouble', trouble)
  const act = onPage((visit) => takeStep(page, visit, hosted.readAction(visit)))
  router.post('/:token', act)
  router.use(
    createUnknownAddressHandler(page.sendPage, [
      [/^\/$/, 'POST'],
      [/^\/[^/]+\/?$/, 'GET, HEAD, POST'],
      [/^\/[^/]+\/(?:back|result)\/?$/, 'GET, HEAD'],
    ]),
    showRefusal(page.sendPage),
  )
  return router
}

type HostedPages = ReturnType<typeof createHostedPages>

/** Creates what the handlers of all addresses use. */
function createHostedPages(dependencies: HostedDependencies) {
  const { addresses, authenticator, assetAddresses, templates } = dependencies
  const own = ownOrigins(addresses)
  const findPage = (token: unknown, response: Response) => findVisit(token, response, authenticator)
  const page: PaymentPage = {
    addresses,
    returns: returnAddresses(addresses, templates),
    sendPage: createPageSender(assetAddresses),
    sendOwnPage: ownPageSender(templates, assetAddresses, addresses),
    lookAgain: ({ response, row }) => findPage(row.href_token, response),
    inPlace: false,
  }
  return {
    page,
    findPage,
    /** Reads the action of a form; one from a foreign page has no effect. */
    readAction: (visit: PaymentVisit): VisitAction =>
      isForeignForm(visit, own) ? 'show' : readPageAction(getExchange(visit.response).parameters),
    /** Takes a step whose page is shown at the address of the order form (setting `form_in_place`). */
    takeStepInPlace(visit: PaymentVisit, action: VisitAction) {
      const place = { page: createHref(visit.row, addresses), pageToken: visit.row.href_token }
      const sendPage = createPageSender(assetAddresses, place)
      return takeStep({ ...page, sendPage, inPlace: true }, visit, action)
    },
  }
}

/** Receives a form of a page that is shown at this address. */
async function receivePageInPlace(
  { page, findPage, readAction, takeStepInPlace }: HostedPages,
  response: Response,
  next: NextFunction,
) {
  const { parameters } = getExchange(response)
  const token = readPageToken(parameters)
  if (token === undefined) return next()
  const visit = await findPage(token, response)
  const action = readAction(visit)
  if (action === 'show' || !isReturnFromBank(parameters)) return takeStepInPlace(visit, action)
  const address = await page.returns.afterBank(visit)
  if (address === createHref(visit.row, page.addresses)) return takeStepInPlace(visit, 'show')
  response.redirect(303, address)
}

/** Receives an order that the shop's page posts in the payer's browser. */
async function receiveOrder(hosted: HostedPages, response: Response): Promise<void> {
  const { parameters } = getExchange(response)
  const sender = getSender(response)
  // No redirect happens before the hash has authenticated the merchant.
  const proof = authenticateByHash(parameters, { ...sender, loggedIn: false })
  try {
    const command = readForm(parameters, sender, proof)
    const paid = await createTransaction(createWork(response), maskCardNumbers(response, command))
    await answerOrder(hosted, response, paid)
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') throw error
    const address = await hosted.page.returns.afterRefusedOrder(response, refusal)
    if (address === undefined) throw error
    noteRefusal(response, refusal)
    response.redirect(303, address)
  }
}

/** Sends the payer of a new payment to the page, the bank or the shop. */
async function answerOrder(
  { page, findPage, takeStepInPlace }: HostedPages,
  response: Response,
  paid: PaymentResult,
): Promise<void> {
  const { row } = paid
  const { merchant } = getSender(response)
  const refusal = findDecline(paid)
  if (refusal) noteRefusal(response, refusal)
  addNotices(response, paid.notices)
  const isPage = paid.kind === 'challenge' || row.status === 'pending'
  if (isPage && merchant.settings.form_in_place && !hasOwnPage(response, row))
    return takeStepInPlace(await findPage(row.href_token, response), 'show')
  const toPage = paid.kind === 'challenge' ? createChallengeAddress : createHref
  const lang = asLocale(getExchange(response).parameters.lang)
  response.redirect(
    303,
    isPage
      ? redirectUrl(toPage(row, page.addresses), { lang })
      : await page.returns.after({ response, row, merchant }, refusal),
  )
}

/** Leads the payer on after the bank: to the shop, to the page, or out of the bank's frame. */
async function leaveBankPage({ page }: HostedPages, visit: PaymentVisit): Promise<void> {
  const { response, merchant } = visit
  if (merchant.settings.form_in_place)
    return page.sendPage(response, renderAfterBankPage(visit, page.addresses))
  const lang = asLocale(getExchange(response).parameters.lang)
  response.redirect(303, await page.returns.afterBank(visit, lang))
}

/** Records a problem that the script on a merchant's own page reports. */
async function receiveTrouble(
  templates: Templates,
  { response, row, merchant }: PaymentVisit,
): Promise<void> {
  const { what, reason } = readPageErrorReport(getExchange(response).parameters)
  await templates.toldByPage(createWork(response, merchant), row, what, reason)
  response.status(204).end()
}
