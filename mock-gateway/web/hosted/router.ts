import { type ErrorRequestHandler, type Request, type RequestHandler, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { STATES } from '../../domain/states.ts'
import { redirectUrl } from '../../domain/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { createTransaction } from '../../payments/create.ts'
import { refusalOf } from '../../payments/result.ts'
import { updateTransactionOf } from '../../payments/update.ts'
import { hrefOf } from '../../presentation/transaction.ts'
import { readForm } from '../../requests/form.ts'
import { readPageCard } from '../../requests/page-card.ts'
import { proveByHash } from '../../requests/request-hash.ts'
import { findTransactionByHrefToken, type TransactionRow } from '../../storage/transactions.ts'
import { clientOf, exchangeOf, senderOf, workOf } from '../http/exchange.ts'
import { loginOrMerchantId, merchantIdNeeded, ownMerchantId } from '../http/login.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { receiveParameters } from '../http/receive.ts'
import { asGatewayError, explainAlso, writeRefusal } from '../http/refuse.ts'
import type { Render } from '../pages/engine.ts'
import { asLocale } from '../pages/language.ts'
import { elsewhere } from './elsewhere.ts'
import { pageLocale, pageSender, type SendPage } from './page.ts'
import { cardForm, message, PAGES } from './pages.ts'
import { returnAddress, returnAddressOfRefused } from './return-address.ts'

/** What the payment page is made of. */
export interface HostedParts {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  /** `decryptReceived`. */
  readonly decrypt: RequestHandler
  readonly render: Render
}

/** `{pay_url}/v1/form`: how a payer pays without the merchant's server in between (specification: Endpoints). */
export function hostedRouter({ addresses, authenticator, decrypt, render }: HostedParts): Router {
  const sendPage = pageSender(render)
  const router = Router()
  router.use(receiveParameters, pageLocale)

  router.post(
    '/',
    loginOrMerchantId(authenticator, merchantIdNeeded),
    decrypt,
    ownMerchantId,
    async (request, response) => {
      const { parameters } = exchangeOf(response)
      const sender = senderOf(response)
      // Until the hash has proven the merchant, nobody is sent anywhere.
      const proof = proveByHash(parameters, { ...sender, loggedIn: false })
      try {
        const command = maskCardNumbers(response, readForm(parameters, sender, { client: clientOf(request), proof }))
        const paid = await createTransaction(workOf(response), command)
        const { row, notes } = paid
        explainAlso(response, ...notes)
        const page = redirectUrl(hrefOf(row, addresses), { lang: asLocale(parameters.lang) })
        const shop = returnAddress(row, sender.merchant, addresses, refusalOf(paid))
        response.redirect(303, row.status === 'pending' ? page : shop)
      } catch (error) {
        const refusal = asGatewayError(error)
        const address = returnAddressOfRefused(parameters, addresses, refusal)
        if (address === undefined || refusal.entry.name === 'errors.unexpected') throw error
        response.redirect(303, address)
      }
    },
  )

  router.get('/:token', async (request, response) => {
    const { row, merchant } = await findPayment(request, response)
    await sendPage(response, PAGES[row.status](row, merchant, addresses))
  })

  router.post('/:token', async (request, response) => {
    const { row, merchant } = await findPayment(request, response)
    if (!STATES[row.status].payable) return response.redirect(303, returnAddress(row, merchant, addresses))
    try {
      const card = readPageCard(row.id, exchangeOf(response).parameters)
      const paid = await updateTransactionOf(workOf(response, merchant), card)
      response.redirect(303, returnAddress(paid.row, merchant, addresses, refusalOf(paid)))
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal.entry.name === 'errors.unexpected') throw error
      // Of two submissions at once one pays, and the other shows what came of it.
      const { row: now } = await findPayment(request, response)
      if (!STATES[now.status].payable) return response.redirect(303, returnAddress(now, merchant, addresses))
      writeRefusal(response, refusal)
      await sendPage(response.status(422), cardForm(now, merchant, refusal))
    }
  })

  async function findPayment(
    request: Request,
    response: Response,
  ): Promise<{ row: TransactionRow; merchant: Merchant }> {
    const { token } = request.params
    const { db } = exchangeOf(response).service.database
    const row =
      typeof token === 'string' && isHrefToken(token) ? await findTransactionByHrefToken(db, token) : undefined
    const merchant = row && (await authenticator.find(row.merchant_id))
    if (row && merchant) return { row, merchant }
    throw new GatewayError('errors.transaction.not_found', { explain: 'No payment has this address' })
  }

  router.use(elsewhere(sendPage), showRefusal(sendPage))
  return router
}

/** A person sees a page, not JSON. */
const showRefusal =
  (sendPage: SendPage): ErrorRequestHandler =>
  (error, _request, response, next) => {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') return next(error)
    writeRefusal(response, refusal)
    return sendPage(response, message(refusal))
  }
