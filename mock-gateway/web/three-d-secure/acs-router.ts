import { type Request, type Response, Router } from 'express'
import { RESULTS } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import { isObject } from '../../domain/json.ts'
import { asLocale } from '../../domain/language/languages.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
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
import { answerView, renderApp, renderWaiting } from './bank-pages.ts'
import { createChallengeFacts, describeChallenge } from './challenge.ts'
import { renderChallenge } from './challenge-page.ts'
import {
  type BankPages,
  chooseLocale,
  createBankPages,
  refusalPage,
  type ThreeDSecureDependencies,
} from './page.ts'
import { createChallengeMessage, createResultAddress } from './result.ts'
import { type BankVisit, findVisit, readTokenKey, unknownAuthentication } from './visit.ts'

/**
 * Serves `{pay_url}/v1/acs`: the simulated bank (ACS) that authenticates the payer. The address of
 * an authentication grants access to it. Robots get JSON if they ask for it.
 */
export function createBankRouter(dependencies: ThreeDSecureDependencies): Router {
  const bank = createBankPages(dependencies)
  const onVisit =
    (answer: (bank: BankPages, visit: BankVisit, response: Response) => Promise<unknown>) =>
    async ({ params }: Request, response: Response) =>
      answer(bank, await findBankVisit(bank, params.token, response), response)
  const router = Router()
  router.use(receiveParameters, notePageLocale)
  router.get('/payment/:token', ({ params }, response) =>
    redirectPayment(bank, params.token, response),
  )
  router.get('/:token', onVisit(showBank))
  router.post('/:token', onVisit(receiveAnswer))
  router.get('/:token/app', onVisit(showApp))
  router.post('/:token/page', onVisit(receivePresence))
  router.use(refusalPage(bank.sendPage))
  return router
}

/** Redirects from a payment's own address to the bank, or to the payment's result. */
async function redirectPayment({ addresses }: BankPages, token: string, response: Response) {
  const { service, parameters } = getExchange(response)
  const { db } = service.database
  const payment = isHrefToken(token) ? await findTransactionByHrefToken(db, token) : undefined
  if (!payment) throw unknownAuthentication()
  const open = await findOpenAuthentication(db, payment.id)
  const on = open ? `/v1/acs/${open.token}` : `/v1/form/${payment.href_token}/result`
  response.redirect(303, redirectUrl(addresses.pay + on, { lang: asLocale(parameters.lang) }))
}

async function findBankVisit(
  { authenticator }: BankPages,
  token: unknown,
  response: Response,
): Promise<BankVisit> {
  const visit = await findVisit(response, authenticator, readTokenKey(token))
  if (!visit) throw unknownAuthentication()
  const { row, merchant } = visit
  Object.assign(getExchange(response), { pageOf: merchant, about: row.transaction_id ?? undefined })
  return visit
}

/** Lets the payer arrive at the bank. */
async function openBank({ row: found, merchant }: BankVisit, response: Response) {
  const work = createWork(response, merchant)
  const row = await findCurrentAuthentication(work, found)
  if (row.status === 'done' || row.opened_at !== null) return { row, merchant }
  return { row: (await answerAtBank(work, row)) ?? row, merchant }
}

const showBank = async (bank: BankPages, visit: BankVisit, response: Response) =>
  answerPayer(bank, await openBank(visit, response), response)

async function receiveAnswer(bank: BankPages, found: BankVisit, response: Response) {
  const { parameters } = getExchange(response)
  const visit = await openBank(found, response)
  const row =
    visit.row.status === 'open' &&
    (await answerAtBank(createWork(response, visit.merchant), visit.row, readAction(parameters)))
  if (wantsJson(response.req))
    return answerPayer(bank, { ...visit, row: row || visit.row }, response)
  const page = parameters.action === 'app' ? '/app' : ''
  const at = `${bank.addresses.pay}/v1/acs/${visit.row.token}${page}`
  response.redirect(303, redirectUrl(at, { lang: asLocale(parameters.lang) }))
}

/** Shows the app next to the page, in which some challenges are answered. */
async function showApp({ addresses, sendPage }: BankPages, found: BankVisit, response: Response) {
  const visit = await openBank(found, response)
  const { row, merchant } = visit
  const now = getExchange(response).getNow(merchant.id)
  const data = describeChallenge(row, merchant, now, chooseLocale(response, row))
  const isOpen = data.by === 'app' && row.status === 'open' && !isWaiting(row)
  return sendPage(response, renderApp(data, isOpen, `${addresses.pay}/v1/acs/${row.token}`), visit)
}

/**
 * Notes that the bank's page has opened or is left. If the next page has already reported that it
 * is open, nothing changes.
 */
async function receivePresence(_bank: BankPages, { row, merchant }: BankVisit, response: Response) {
  const sent = pick(getExchange(response).parameters, BANK_PAGE_FIELDS)
  const page = text(sent, 'page')
  const hasLeft = text(sent, 'left') === 'true'
  const where = { id: row.id, ...(hasLeft ? { page } : { status: 'open' as const }) }
  if (page !== undefined && page.length <= LONGEST_NAME)
    await createWork(response, merchant).write(({ queries }) =>
      updateRows(queries, 'authentications', where, { page: hasLeft ? null : page }),
    )
  response.status(204).end()
}

/** Answers with the state of an authentication: a page, a redirect, or JSON for robots. */
async function answerPayer(
  { addresses, sendPage }: BankPages,
  visit: BankVisit,
  response: Response,
) {
  const { row, merchant } = visit
  const { getNow, service, parameters } = getExchange(response)
  const now = getNow(merchant.id)
  const lang = asLocale(parameters.lang)
  const cres = row.status === 'open' ? writeSignedAnswer(row, now) : undefined
  const locale = chooseLocale(response, row)
  const return_url = redirectUrl(`${addresses.pay}/v1/mpi_js/return`, { lang })
  const continue_url =
    row.status === 'done'
      ? redirectUrl(await createResultAddress(service.database.db, row, addresses), { lang })
      : undefined
  if (wantsJson(response.req)) {
    response.setHeader('Cache-Control', 'no-store, private')
    return response.json({
      state: getChallengeState(row, cres),
      ...createChallengeFacts(row, merchant, now, locale),
      ...(cres && { return_url, cres }),
      continue_url,
    })
  }
  if (continue_url) return response.redirect(303, continue_url)
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
