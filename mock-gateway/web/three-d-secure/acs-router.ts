import { type Request, type Response, Router } from 'express'
import type { Addresses } from '../../domain/addresses.ts'
import { RESULTS } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { isObject } from '../../domain/json.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import {
  type CallParameters,
  type Parameters,
  pick,
  text,
} from '../../parsing/parameters/parameters.ts'
import {
  answerAtBank,
  type BankAction,
  createBankAction,
  isWaiting,
  writeSignedAnswer,
} from '../../payments/authentication/bank.ts'
import {
  findCurrentAuthentication,
  findOpenAuthentication,
} from '../../payments/authentication/end.ts'
import { updateRows } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { notePageLocale, receiveParameters } from '../http/receive.ts'
import type { AddressOf } from '../pages/assets.ts'
import { answerView, renderApp, renderWaiting } from './bank-pages.ts'
import { createChallengeFacts, describeChallenge } from './challenge.ts'
import { renderChallenge } from './challenge-page.ts'
import { chooseLocale, createPageSender, refusalPage } from './page.ts'
import { createChallengeMessage, createResultAddress } from './result.ts'
import { type BankVisit, findVisit, readTokenKey, unknownAuthentication } from './visit.ts'

/** Dependencies of the 3-D Secure pages. */
export interface ThreeDSecureDependencies {
  readonly addresses: Addresses
  readonly authenticator: Authenticator
  readonly assetAddresses: () => Promise<AddressOf>
}

/**
 * Serves `{pay_url}/v1/acs`: the simulated bank (ACS) that authenticates the payer. The address of
 * an authentication grants access to it. Robots get JSON if they ask for it.
 */
export function createBankRouter({
  addresses,
  authenticator,
  assetAddresses,
}: ThreeDSecureDependencies): Router {
  const sendPage = createPageSender(assetAddresses)
  const router = Router()
  router.use(receiveParameters, notePageLocale)

  /** From a payment's own address: to the bank, or to the payment's result. */
  router.get('/payment/:token', async (request, response) => {
    const { db } = getExchange(response).service.database
    const { token } = request.params
    const payment = isHrefToken(token) ? await findTransactionByHrefToken(db, token) : undefined
    if (!payment) throw unknownAuthentication()
    const open = await findOpenAuthentication(db, payment.id)
    const on = open ? `/v1/acs/${open.token}` : `/v1/form/${payment.href_token}/result`
    response.redirect(
      303,
      redirectUrl(addresses.pay + on, { lang: asLocale(getExchange(response).parameters.lang) }),
    )
  })

  router.get('/:token', async (request, response) =>
    answer(response, await openBank(request, response)),
  )

  router.post('/:token', async (request, response) => {
    const visit = await openBank(request, response)
    const action = readAction(getExchange(response).parameters)
    const row =
      visit.row.status === 'open' &&
      (await answerAtBank(createWork(response, visit.merchant), visit.row, action))
    if (wantsJson(request)) return answer(response, { ...visit, row: row || visit.row })
    const { lang, action: pressed } = getExchange(response).parameters
    const page = pressed === 'app' ? '/app' : ''
    const at = `${addresses.pay}/v1/acs/${visit.row.token}${page}`
    response.redirect(303, redirectUrl(at, { lang: asLocale(lang) }))
  })

  /** The app next to the page, in which some challenges are answered. */
  router.get('/:token/app', async (request, response) => {
    const visit = await openBank(request, response)
    const { row, merchant } = visit
    const now = getExchange(response).getNow(merchant.id)
    const data = describeChallenge(row, merchant, now, chooseLocale(response, row))
    const at = `${addresses.pay}/v1/acs/${row.token}`
    const isOpen = data.by === 'app' && row.status === 'open' && !isWaiting(row)
    return sendPage(response, renderApp(data, isOpen, at), visit)
  })

  /**
   * The bank's page reports that the payer has arrived or leaves. If the next page has already
   * reported that it is open, nothing changes.
   */
  router.post('/:token/page', async (request, response) => {
    const { row, merchant } = await findBankVisit(request, response)
    const sent = pick(getExchange(response).parameters, BANK_PAGE_FIELDS)
    const page = text(sent, 'page')
    const hasLeft = text(sent, 'left') === 'true'
    const where = { id: row.id, ...(hasLeft ? { page } : { status: 'open' as const }) }
    if (page !== undefined && page.length <= LONGEST_NAME)
      await createWork(response, merchant).write(({ queries }) =>
        updateRows(queries, 'authentications', where, { page: hasLeft ? null : page }),
      )
    response.status(204).end()
  })

  async function findBankVisit({ params }: Request, response: Response): Promise<BankVisit> {
    const visit = await findVisit(response, authenticator, readTokenKey(params.token))
    if (!visit) throw unknownAuthentication()
    const { row, merchant } = visit
    Object.assign(getExchange(response), {
      pageOf: merchant,
      about: row.transaction_id ?? undefined,
    })
    return visit
  }

  /** Lets the payer arrive at the bank. */
  async function openBank(request: Request, response: Response): Promise<BankVisit> {
    const { row: found, merchant } = await findBankVisit(request, response)
    const work = createWork(response, merchant)
    const row = await findCurrentAuthentication(work, found)
    if (row.status === 'done' || row.opened_at !== null) return { row, merchant }
    return { row: (await answerAtBank(work, row)) ?? row, merchant }
  }

  async function answer(response: Response, visit: BankVisit): Promise<void> {
    const { row, merchant } = visit
    const { getNow, service, parameters } = getExchange(response)
    const now = getNow(merchant.id)
    const lang = asLocale(parameters.lang)
    const findNext = async () =>
      redirectUrl(await createResultAddress(service.database.db, row, addresses), { lang })
    const cres = row.status === 'open' ? writeSignedAnswer(row, now) : undefined
    const locale = chooseLocale(response, row)
    const return_url = redirectUrl(`${addresses.pay}/v1/mpi_js/return`, { lang })
    if (wantsJson(response.req)) {
      response.setHeader('Cache-Control', 'no-store, private')
      return void response.json({
        state: getChallengeState(row, cres),
        ...createChallengeFacts(row, merchant, now, locale),
        ...(cres && { return_url, cres }),
        ...(row.status === 'done' && { continue_url: await findNext() }),
      })
    }
    if (row.status === 'done') return response.redirect(303, await findNext())
    if (cres) return sendPage(response, answerView(return_url, cres), visit)
    const shown = describeChallenge(row, merchant, now, locale)
    if (isWaiting(row)) {
      response.setHeader('Refresh', '2')
      return sendPage(response, renderWaiting(shown), visit)
    }
    const links = {
      app: `${addresses.pay}/v1/acs/${row.token}/app`,
      message: createChallengeMessage(row),
      origin: row.origin,
    }
    return sendPage(response, renderChallenge(shown, links), visit)
  }

  router.use(refusalPage(sendPage))
  return router
}

/** Maximum length of a page's own name. */
const LONGEST_NAME = 32

const wantsJson = (request: Request): boolean => request.accepts(['html', 'json']) === 'json'

/** @param cres the bank's signed answer, if it has one */
function getChallengeState(row: AuthenticationRow, cres: string | undefined) {
  if (row.status === 'done') return 'ended'
  if (cres) return 'answered'
  return isWaiting(row) ? 'waiting' : 'open'
}

/** Parameters of the bank page's own requests. */
export const BANK_PAGE_FIELDS = ['page', 'left'] as const

/** Parameters of the payer's answer. */
export const BANK_FIELDS = ['action', 'code', 'answer', 'result', 'case'] as const

type Fields = CallParameters<(typeof BANK_FIELDS)[number]>

/** Reads each action; undefined if a required parameter is missing. */
const ACTIONS: Readonly<Record<string, (sent: Fields) => BankAction | undefined>> = {
  code: byCode,
  answer: byAnswer,
  /** Like answer, from the app. */
  app: byAnswer,
  result: byResult,
  case: byCase,
  cancel: () => ({ kind: 'result', result: 'cancel' }),
  new_code: () => ({ kind: 'new_code' }),
  more_time: () => ({ kind: 'more_time' }),
}

/** Reads the payer's action: the button's, or the one that the parameters imply. */
export function readAction(parameters: Parameters): BankAction | undefined {
  const sent = pick(parameters, BANK_FIELDS)
  const action = text(sent, 'action')
  if (action !== undefined && Object.hasOwn(ACTIONS, action)) {
    const read = ACTIONS[action]?.(sent)
    if (read) return read
  }
  return byCode(sent) ?? byAnswer(sent) ?? byResult(sent)
}

function byCode(sent: Fields): BankAction | undefined {
  const code = text(sent, 'code')
  return code === undefined ? undefined : { kind: 'answer', given: [code] }
}

/** Reads the answer to a challenge. Ticked answers arrive as one key each. */
function byAnswer(sent: Fields): BankAction | undefined {
  const { answer } = sent
  const given = isObject(answer) ? Object.keys(answer) : (text(sent, 'answer')?.split(',') ?? [])
  return given.length > 0 ? createBankAction(given.map((one) => one.trim())) : undefined
}

function byResult(sent: Fields): BankAction | undefined {
  const result = RESULTS.find((each) => each === text(sent, 'result'))
  return result && { kind: 'result', result }
}

function byCase(sent: Fields): BankAction | undefined {
  const number = Number(text(sent, 'case'))
  return OUTCOMES.has(number) ? { kind: 'case', number } : undefined
}
