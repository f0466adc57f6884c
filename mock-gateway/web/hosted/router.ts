import { type ErrorRequestHandler, type Request, Router } from 'express'
import { GatewayError } from '../../domain/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { type Parameters, text } from '../../domain/parameters.ts'
import { isHrefToken } from '../../domain/references.ts'
import { STATES } from '../../domain/states.ts'
import { redirectUrl } from '../../domain/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import type { KeyRing } from '../../merchants/keys.ts'
import { createTransaction } from '../../payments/create.ts'
import { CARD_PARAMETERS, hasCardData } from '../../payments/payment-card.ts'
import type { Payments } from '../../payments/payments.ts'
import { checkPayersHash } from '../../payments/request-hash.ts'
import { updateTransactionOf } from '../../payments/update.ts'
import { hrefOf } from '../../presentation/transaction.ts'
import { findTransactionByHrefToken, type TransactionRow } from '../../storage/transactions.ts'
import { loginOrMerchantId, merchantIdNeeded, ownMerchantId } from '../http/authenticate.ts'
import { clientOf, exchangeOf, merchantOf } from '../http/exchange.ts'
import { decryptReceived, receiveParameters } from '../http/receive.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import type { Render } from '../pages/engine.ts'
import { asLocale } from '../pages/language.ts'
import { elsewhere } from './elsewhere.ts'
import { pageLocale, pageSender, type SendPage } from './page.ts'
import { cardForm, message, PAGES } from './pages.ts'
import { returnAddress, returnAddressOfRefused } from './return-address.ts'

/** What the payment page is made of. */
export interface HostedParts {
  readonly payments: Payments
  readonly authenticator: Authenticator
  readonly keys: KeyRing
  readonly render: Render
}

/** `{pay_url}/v1/form`: how a payer pays without the merchant's server in between (specification: Endpoints). */
export function hostedRouter({ payments, authenticator, keys, render }: HostedParts): Router {
  const { addresses, database } = payments
  const { db } = database
  const sendPage = pageSender(render)
  const router = Router()
  router.use(receiveParameters, pageLocale)

  router.post(
    '/',
    loginOrMerchantId(authenticator, merchantIdNeeded),
    decryptReceived(keys),
    ownMerchantId,
    async (request, response) => {
      const { parameters } = exchangeOf(response)
      const merchant = merchantOf(response)
      // Until the hash has proven the merchant, nobody is sent anywhere.
      checkPayersHash(merchant, parameters)
      try {
        const paying = hasCardData(parameters)
        const wanted = paying ? withReturnUrls(parameters) : { ...parameters, process: 'false' }
        const { row, refusal } = await createTransaction(payments, merchant, wanted, clientOf(request))
        const page = redirectUrl(hrefOf(row, addresses), { lang: asLocale(parameters.lang) })
        response.redirect(303, row.status === 'pending' ? page : returnAddress(row, merchant, addresses, refusal))
      } catch (error) {
        const refusal = asGatewayError(error)
        const address = returnAddressOfRefused(parameters, addresses, refusal)
        if (address === undefined || refusal.entry.name === 'errors.unexpected') throw error
        response.redirect(303, address)
      }
    },
  )

  router.get('/:token', async (request, response) => {
    const { row, merchant } = await findPayment(request)
    await sendPage(response, PAGES[row.status](row, merchant, addresses))
  })

  router.post('/:token', async (request, response) => {
    const { row, merchant } = await findPayment(request)
    if (!STATES[row.status].payable) return response.redirect(303, returnAddress(row, merchant, addresses))
    try {
      const card = cardOf(exchangeOf(response).parameters)
      const paid = await updateTransactionOf(payments, merchant, row.id, card)
      response.redirect(303, returnAddress(paid.row, merchant, addresses, paid.refusal))
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal.entry.name === 'errors.unexpected') throw error
      // Of two submissions at once one pays, and the other shows what came of it.
      const { row: now } = await findPayment(request)
      if (!STATES[now.status].payable) return response.redirect(303, returnAddress(now, merchant, addresses))
      writeRefusal(response, refusal)
      await sendPage(response.status(422), cardForm(now, merchant, refusal))
    }
  })

  async function findPayment(request: Request): Promise<{ row: TransactionRow; merchant: Merchant }> {
    const { token } = request.params
    const row =
      typeof token === 'string' && isHrefToken(token) ? await findTransactionByHrefToken(db, token) : undefined
    const merchant = row && (await authenticator.find(row.merchant_id))
    if (row && merchant) return { row, merchant }
    throw new GatewayError('errors.transaction.not_found', { explain: 'No payment has this address' })
  }

  router.use(elsewhere(sendPage), showRefusal(sendPage))
  return router
}

/** A payer who pays in one step must come back somewhere. */
function withReturnUrls(parameters: Parameters): Parameters {
  for (const name of ['success_url', 'error_url'] as const)
    if (text(parameters, name) === undefined)
      throw new GatewayError(`errors.${name}.missing`, { explain: `${name} is where the payer goes after paying` })
  return parameters
}

/** Only the card is the payer's to say; amount, currency and the rest are the merchant's. */
function cardOf(parameters: Parameters): Parameters {
  const card = CARD_PARAMETERS.map((name) => [name, text(parameters, name) ?? null] as const)
  return { ...Object.fromEntries(card), payment_method: 'credit_card' }
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
