import { type Request, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { type AskedResult, RESULTS } from '../../domain/card/three-d-secure.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { asLocale, LANGUAGES, type Locale } from '../../domain/language/languages.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { Currency } from '../../domain/money/currencies.ts'
import { parseAmount } from '../../domain/money/money.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { atBank, type BankAction, CODES, isWaiting, MOST, signedAnswer } from '../../payments/authentication/bank.ts'
import { currentAuthentication } from '../../payments/authentication/end.ts'
import { wireTime } from '../../presentation/time.ts'
import { type Parameters, pick, text } from '../../requests/parameters/parameters.ts'
import { findAuthentication, leavePage, showPage } from '../../storage/authentications.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { receiveParameters } from '../http/receive.ts'
import type { Render } from '../pages/engine.ts'
import { pageLanguage } from '../pages/language.ts'
import { moneyText } from '../pages/money-text.ts'
import { dateText } from '../pages/time-text.ts'
import { writtenCard } from '../pages/written-card.ts'
import { addressAfterBank } from './address-after-bank.ts'
import { pageLocale, pageSender } from './page.ts'
import { refusalPage } from './refusal-page.ts'
import { TEXTS } from './texts.ts'

/** What the pages of 3-D Secure are made of. */
export interface ThreeDSecureDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  readonly render: Render
}

/** What a visitor's authentication is, and whose. */
interface Visit {
  readonly row: AuthenticationRow
  readonly merchant: Merchant
}

/**
 * `{pay_url}/v1/acs`: the simulated bank (ACS) that asks a payer who it is. Whoever has the address of an authentication
 * is its payer. Robots that ask for JSON get the same as JSON.
 */
export function bankRouter({ addresses, authenticator, render }: ThreeDSecureDependencies): Router {
  const sendPage = pageSender(render)
  const router = Router()
  router.use(receiveParameters, pageLocale)

  /** From a payment's own address: to the bank, or to what came of it. */
  router.get('/payment/:token', async (request, response) => {
    const { db } = exchangeOf(response).service.database
    const { token } = request.params
    const payment = isHrefToken(token) ? await findTransactionByHrefToken(db, token) : undefined
    if (!payment) throw unknown()
    const open = await findAuthentication(db, { transaction_id: payment.id, status: 'open' })
    response.redirect(
      303,
      open ? `${addresses.pay}/v1/acs/${open.token}` : `${addresses.pay}/v1/form/${payment.href_token}/result`,
    )
  })

  router.get('/:token', async (request, response) => answer(response, await visitOf(request, response)))

  router.post('/:token', async (request, response) => {
    const visit = await visitOf(request, response)
    const action = readAction(exchangeOf(response).parameters)
    const row = visit.row.status === 'open' && (await atBank(workOf(response, visit.merchant), visit.row, action))
    if (wantsJson(request)) return answer(response, { ...visit, row: row || visit.row })
    const lang = asLocale(exchangeOf(response).parameters.lang)
    response.redirect(303, redirectUrl(`${addresses.pay}/v1/acs/${visit.row.token}`, { lang }))
  })

  /** The page of the bank says that the payer has come to it, or leaves it. */
  router.post('/:token/page', async (request, response) => {
    const { row, merchant } = await findVisit(request, response)
    const sent = pick(exchangeOf(response).parameters, BANK_PAGE_FIELDS)
    const page = text(sent, 'page')
    const note = text(sent, 'left') === 'true' ? leavePage : showPage
    if (page !== undefined && page.length <= LONGEST_NAME)
      await workOf(response, merchant).write(({ queries }) => note(queries, row.id, page))
    response.status(204).end()
  })

  async function findVisit(request: Request, response: Response): Promise<Visit> {
    const { token } = request.params
    const { db } = exchangeOf(response).service.database
    const found = typeof token === 'string' && isHrefToken(token) ? await findAuthentication(db, { token }) : undefined
    const merchant = found && (await authenticator.find(found.merchant_id))
    if (!found || !merchant) throw unknown()
    Object.assign(exchangeOf(response), { pageOf: merchant, about: found.transaction_id ?? undefined })
    return { row: found, merchant }
  }

  async function visitOf(request: Request, response: Response): Promise<Visit> {
    const { row: found, merchant } = await findVisit(request, response)
    const work = workOf(response, merchant)
    const row = await currentAuthentication(work, found)
    if (row.status === 'done' || row.opened_at !== null) return { row, merchant }
    return { row: (await atBank(work, row)) ?? row, merchant }
  }

  async function answer(response: Response, { row, merchant }: Visit): Promise<void> {
    const { nowOf, service, locale: noted } = exchangeOf(response)
    const now = nowOf(merchant.id)
    const on = await addressAfterBank(service.database.db, row, addresses)
    const cres = row.status === 'open' ? signedAnswer(row, now) : undefined
    const locale = pageLanguage({ merchant: row.locale }, noted)
    const return_url = `${addresses.pay}/v1/mpi_js/return`
    if (wantsJson(response.req)) {
      response.setHeader('Cache-Control', 'no-store, private')
      const state = row.status === 'done' ? 'ended' : cres ? 'answered' : isWaiting(row) ? 'waiting' : 'open'
      return void response.json({
        state,
        ...facts(row, merchant, now, locale),
        ...(cres && { return_url, cres }),
        ...(row.status === 'done' && { continue_url: on }),
      })
    }
    if (row.status === 'done') return response.redirect(303, on)
    if (cres) return sendPage(response, { view: 'answer', data: { return_url, cres }, row, merchant })
    if (isWaiting(row)) response.setHeader('Refresh', '2')
    const view = isWaiting(row) ? 'waiting' : 'bank'
    const helper = merchant.settings.page_test_helper
    const card = writtenCard(row.brand, row.card_number)
    return sendPage(response, { view, data: { ...facts(row, merchant, now, locale), card, helper }, row, merchant })
  }

  router.use(refusalPage(sendPage))
  return router
}

/** Characters of the name that a page gives itself. */
const LONGEST_NAME = 32

const unknown = () => new GatewayError('errors.not_found', { explain: 'No authentication has this address' })

const wantsJson = (request: Request): boolean => request.accepts(['html', 'json']) === 'json'

/** What the bank's page says of itself. */
export const BANK_PAGE_FIELDS = ['page', 'left'] as const

/** What a payer sends to the bank. */
export const BANK_FIELDS = ['action', 'code', 'result'] as const

/** What the payer does there: `code`, or what a button says. */
function readAction(parameters: Parameters): BankAction | undefined {
  const sent = pick(parameters, BANK_FIELDS)
  const action = text(sent, 'action') ?? 'code'
  const result = RESULTS.find((each) => each === text(sent, 'result'))
  if (action === 'cancel') return { kind: 'result', result: 'cancel' }
  if (action === 'new_code' || action === 'more_time') return { kind: action }
  if (result && (action === 'result' || text(sent, 'code') === undefined)) return { kind: 'result', result }
  const code = text(sent, 'code')
  return code === undefined ? undefined : { kind: 'code', code }
}

/** What the bank knows, and shows. */
const facts = (row: AuthenticationRow, merchant: Merchant, now: number, locale: Locale) => ({
  merchant: merchant.name,
  amount: row.amount_text,
  currency: row.currency,
  price: price(row.amount_text, row.currency, locale),
  date: dateText(now, LANGUAGES[locale].numbers),
  card_number: row.card_number,
  code: CODES.right,
  wrong_codes: row.wrong_codes,
  tries_left: MOST.wrongCodes - row.wrong_codes,
  new_codes: row.new_codes,
  new_codes_left: MOST.newCodes - row.new_codes,
  more_time_left: MOST.extensions - row.extensions,
  minutes_left: Math.max(0, Math.ceil((row.expires_at - now) / 60_000)),
  expires_at: wireTime(row.expires_at),
  outcomes: RESULTS.map((name: AskedResult) => ({ name, label: TEXTS[locale].results[name] })),
})

/** As people write money; an amount in a bad format stays as it was sent. */
function price(text: string, currency: Currency, locale: Locale): string {
  const amount = parseAmount(text)
  return amount.ok ? moneyText(amount.value, currency, locale) : `${text} ${currency.toUpperCase()}`
}
