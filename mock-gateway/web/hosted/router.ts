import { type Request, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import { readForm } from '../../parsing/create-transaction.ts'
import { readPageErrorReport } from '../../parsing/page-error-report.ts'
import { isReturnFromBank, readPageAction, readPageToken } from '../../parsing/page-payment.ts'
import { authenticateByHash } from '../../parsing/request-hash.ts'
import { createTransaction } from '../../payments/create.ts'
import { findDecline } from '../../payments/result.ts'
import { createHref } from '../../serializers/transaction.ts'
import type { Templates } from '../../templates/templates.ts'
import { createWork, getExchange, getSender } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { type CallReceiver, pageLocale, receiveForm, receiveParameters } from '../http/receive.ts'
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
  const { addresses, authenticator, assetAddresses, returnChecks, templates } = dependencies
  const sendPage = createPageSender(assetAddresses)
  const returns = returnAddresses(addresses, templates)
  const own = ownOrigins(addresses)
  const visitAt = (token: unknown, response: Response) => findVisit(token, response, authenticator)
  const findPageVisit = ({ params }: Request, response: Response) => visitAt(params.token, response)
  const page: PaymentPage = {
    addresses,
    returns,
    sendPage,
    sendOwnPage: ownPageSender(templates, assetAddresses, addresses),
    lookAgain: ({ response, row }) => visitAt(row.href_token, response),
    inPlace: false,
  }
  /** Takes a step whose page is shown at the address of the order form (setting `form_in_place`). */
  const takeStepInPlace = (visit: PaymentVisit, action: VisitAction) => {
    const place = { page: createHref(visit.row, addresses), pageToken: visit.row.href_token }
    const inPlace = { ...page, sendPage: createPageSender(assetAddresses, place), inPlace: true }
    return takeStep(inPlace, visit, action)
  }
  const router = Router()
  router.use(returnChecks.afterRedirect, receiveParameters, pageLocale)

  router.post('/', async (_request, response, next) => {
    const { parameters } = getExchange(response)
    const token = readPageToken(parameters)
    if (token === undefined) return next()
    const visit = await visitAt(token, response)
    if (isForeignForm(visit, own)) return takeStepInPlace(visit, 'show')
    if (!isReturnFromBank(parameters)) return takeStepInPlace(visit, readPageAction(parameters))
    const address = await returns.afterBank(visit)
    if (address === createHref(visit.row, addresses)) return takeStepInPlace(visit, 'show')
    response.redirect(303, address)
  })

  router.post('/', receiveForm(dependencies), async (_request, response) => {
    const { parameters } = getExchange(response)
    const sender = getSender(response)
    // No redirect happens before the hash has authenticated the merchant.
    const proof = authenticateByHash(parameters, { ...sender, loggedIn: false })
    try {
      const command = readForm(parameters, sender, proof)
      const paid = await createTransaction(createWork(response), maskCardNumbers(response, command))
      const { row, notices } = paid
      const refusal = findDecline(paid)
      if (refusal) noteRefusal(response, refusal)
      addNotices(response, notices)
      const { merchant } = sender
      const isPage = paid.kind === 'challenge' || row.status === 'pending'
      if (isPage && merchant.settings.form_in_place && !hasOwnPage(response, row))
        return await takeStepInPlace(await visitAt(row.href_token, response), 'show')
      if (!isPage)
        return response.redirect(303, await returns.after({ response, row, merchant }, refusal))
      const address =
        paid.kind === 'challenge'
          ? createChallengeAddress(row, addresses)
          : createHref(row, addresses)
      response.redirect(303, redirectUrl(address, { lang: asLocale(parameters.lang) }))
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal.entry.name === 'errors.unexpected') throw error
      const address = await returns.afterRefusedOrder(response, refusal)
      if (address === undefined) throw error
      noteRefusal(response, refusal)
      response.redirect(303, address)
    }
  })

  router.get('/:token', async (request, response) =>
    takeStep(page, await findPageVisit(request, response), 'show'),
  )

  router.get('/:token/result', async (request, response) => {
    const visit = await findPageVisit(request, response)
    if (visit.merchant.settings.form_in_place)
      return sendPage(response, renderAfterBankPage(visit, addresses))
    const lang = asLocale(getExchange(response).parameters.lang)
    response.redirect(303, await returns.afterBank(visit, lang))
  })

  router.post('/:token/trouble', async (request, response) => {
    const { what, reason } = readPageErrorReport(getExchange(response).parameters)
    const { row, merchant } = await findPageVisit(request, response)
    await templates.toldByPage(createWork(response, merchant), row, what, reason)
    response.status(204).end()
  })

  router.post('/:token', async (request, response) => {
    const visit = await findPageVisit(request, response)
    const action = readPageAction(getExchange(response).parameters)
    return takeStep(page, visit, isForeignForm(visit, own) ? 'show' : action)
  })

  router.use(
    createUnknownAddressHandler(sendPage, [
      [/^\/$/, 'POST'],
      [/^\/[^/]+\/?$/, 'GET, HEAD, POST'],
      [/^\/[^/]+\/result\/?$/, 'GET, HEAD'],
    ]),
    showRefusal(sendPage),
  )
  return router
}
