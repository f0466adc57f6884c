import {
  type ErrorRequestHandler,
  type Request,
  type RequestHandler,
  type Response,
  Router,
} from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { readForm } from '../../parsing/form.ts'
import { readPageErrorReport } from '../../parsing/page-error-report.ts'
import { isReturnFromBank, readPageAction, readPageToken } from '../../parsing/page-payment.ts'
import { authenticateByHash } from '../../parsing/request-hash.ts'
import { createTransaction } from '../../payments/create.ts'
import { refusalOf } from '../../payments/result.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { clientOf, exchangeOf, senderOf, workOf } from '../http/exchange.ts'
import { loginOrMerchantId, merchantIdNeeded, ownMerchantId } from '../http/login.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { noteLocale, pageLocale } from '../http/page-locale.ts'
import { receiveParameters } from '../http/receive.ts'
import { addNotices, asGatewayError, noteRefusal, writeRefusal } from '../http/refuse.ts'
import type { AddressOf } from '../pages/assets.ts'
import { addressAfterBank, challengeAddress } from './authentication.ts'
import { afterBankPage, placeOf } from './bank-frame.ts'
import { hasOwnPage } from './chosen-page.ts'
import { foreignForms } from './foreign-forms.ts'
import { messagePage } from './message-page.ts'
import { ownPageSender } from './own-page.ts'
import { pageSender, type SendHostedPage } from './page.ts'
import type { RunStep } from './pay-step.ts'
import { returnAddress, returnAddressOfRefused } from './return-address.ts'
import type { ReturnChecks } from './return-checks.ts'
import { createStepRunner } from './steps.ts'
import { unknownAddress } from './unknown-address.ts'
import { findVisit, type PaymentVisit } from './visit.ts'

/** Dependencies of the payment page. */
export interface HostedDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  /** See `decryptReceived`. */
  readonly decrypt: RequestHandler
  readonly assetAddresses: () => Promise<AddressOf>
  readonly returnChecks: ReturnChecks
  readonly templates: Templates
}

/**
 * Serves `{pay_url}/v1/form`, where a payer pays without the merchant's server (specification:
 * Endpoints).
 */
export function hostedRouter(dependencies: HostedDependencies): Router {
  const { addresses, authenticator, decrypt, assetAddresses, returnChecks, templates } =
    dependencies
  const sendPage = pageSender(assetAddresses)
  const visitAt = (token: unknown, response: Response) =>
    findVisit(token, response, { authenticator, templates })
  const visitOf = ({ params }: Request, response: Response) => visitAt(params.token, response)
  const page = {
    addresses,
    sendPage,
    sendOwnPage: ownPageSender(templates, assetAddresses, addresses),
    lookAgain: ({ response, row }: PaymentVisit) => visitAt(row.href_token, response),
    inPlace: false,
  }
  const takeStep = createStepRunner(page)
  /** Runs a step whose page is shown at the address of the order form (setting `form_in_place`). */
  const takeStepInPlace: RunStep = (visit, action) =>
    createStepRunner({
      ...page,
      sendPage: pageSender(assetAddresses, placeOf(visit, addresses)),
      inPlace: true,
    })(visit, action)
  const isForeign = foreignForms(addresses)
  const router = Router()
  router.use(returnChecks.afterRedirect, receiveParameters, pageLocale)

  router.post('/', async (_request, response, next) => {
    const { parameters } = exchangeOf(response)
    const token = readPageToken(parameters)
    if (token === undefined) return next()
    const visit = await visitAt(token, response)
    if (isForeign(visit)) return takeStepInPlace(visit, 'show')
    if (!isReturnFromBank(parameters)) return takeStepInPlace(visit, readPageAction(parameters))
    const address = addressAfterBank(visit.row, visit.merchant, addresses)
    if (address === hrefOf(visit.row, addresses)) return takeStepInPlace(visit, 'show')
    response.redirect(303, address)
  })

  router.post(
    '/',
    loginOrMerchantId(authenticator, merchantIdNeeded),
    decrypt,
    ownMerchantId,
    async (request, response) => {
      const { parameters } = exchangeOf(response)
      const sender = senderOf(response)
      // No redirect happens before the hash has authenticated the merchant.
      const proof = authenticateByHash(parameters, { ...sender, loggedIn: false })
      try {
        const command = maskCardNumbers(
          response,
          readForm(parameters, sender, { client: clientOf(request), proof }),
        )
        const paid = await createTransaction(workOf(response), command)
        const refusal = refusalOf(paid)
        if (refusal) noteRefusal(response, refusal)
        addNotices(response, paid.notices)
        const row = await templates.withAddresses(workOf(response), paid.row)
        const lang = asLocale(parameters.lang)
        const href = redirectUrl(hrefOf(row, addresses), { lang })
        const shop = returnAddress(row, sender.merchant, addresses, refusal)
        const bank =
          paid.kind === 'challenge'
            ? redirectUrl(challengeAddress(row, addresses), { lang })
            : undefined
        const isPage = bank !== undefined || row.status === 'pending'
        if (isPage && sender.merchant.settings.form_in_place && !hasOwnPage(response, row))
          return await takeStepInPlace(await visitAt(row.href_token, response), 'show')
        response.redirect(303, bank ?? (isPage ? href : shop))
      } catch (error) {
        const refusal = asGatewayError(error)
        const address = await returnAddressOfRefused(
          parameters,
          workOf(response),
          templates,
          refusal,
        )
        if (address === undefined || refusal.entry.name === 'errors.unexpected') throw error
        noteRefusal(response, refusal)
        response.redirect(303, address)
      }
    },
  )

  router.get('/:token', async (request, response) =>
    takeStep(await visitOf(request, response), 'show'),
  )

  router.get('/:token/result', async (request, response) => {
    const visit = await visitOf(request, response)
    const { row, merchant } = visit
    if (merchant.settings.form_in_place) return sendPage(response, afterBankPage(visit, addresses))
    const { lang } = exchangeOf(response).parameters
    response.redirect(303, addressAfterBank(row, merchant, addresses, asLocale(lang)))
  })

  router.post('/:token/trouble', async (request, response) => {
    const { what, reason } = readPageErrorReport(exchangeOf(response).parameters)
    const { row, merchant } = await visitOf(request, response)
    await templates.toldByPage(workOf(response, merchant), row, what, reason)
    response.status(204).end()
  })

  router.post('/:token', async (request, response) => {
    const visit = await visitOf(request, response)
    return takeStep(
      visit,
      isForeign(visit) ? 'show' : readPageAction(exchangeOf(response).parameters),
    )
  })

  router.use(unknownAddress(sendPage), showRefusal(sendPage))
  return router
}

/** Shows errors as a page instead of JSON, in the language of the payment's page. */
export const showRefusal =
  (sendPage: SendHostedPage): ErrorRequestHandler =>
  async (error, request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') return next(error)
    writeRefusal(response, refusal)
    const [, token = ''] = request.path.split('/')
    const { db } = exchangeOf(response).service.database
    const row = isHrefToken(token)
      ? await findTransactionByHrefToken(db, token).catch(() => undefined)
      : undefined
    noteLocale(request, response, row?.payment_request.locale)
    return sendPage(response, messagePage(refusal, request))
  }
