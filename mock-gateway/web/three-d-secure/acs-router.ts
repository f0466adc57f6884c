import { type Request, type Response, Router } from 'express'
import { RESULTS } from '../../domain/card/three-d-secure.ts'
import { OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { isObject } from '../../domain/json.ts'
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
import { createHref } from '../../serializers/transaction.ts'
import { updateRows } from '../../storage/rows.ts'
import type { AuthenticationRow } from '../../storage/tables/authentications.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { notePageLocale, receiveParameters } from '../http/receive.ts'
import { answerView, renderApp, renderWaiting } from './bank-pages.ts'
import { createChallengeFacts, describeChallenge } from './challenge.ts'
import { renderChallenge } from './challenge-page.ts'
import {
  createPageSender,
  refusalPage,
  type SendBankPage,
  type ThreeDSecureDependencies,
  wantsJson,
} from './page.ts'
import {
  type BankVisit,
  createBankAddress,
  createResultAddress,
  findVisit,
  readTokenKey,
  unknownAuthentication,
  withChosenLanguage,
} from './visit.ts'

/**
 * Serves `{pay_url}/v1/acs`: the simulated bank (ACS) that authenticates the payer. The address of
 * an authentication grants access to it. Robots get JSON if they ask for it.
 */
export function createBankRouter(dependencies: ThreeDSecureDependencies): Router {
  const sendPage = createPageSender(dependencies)
  const onVisit =
    (answer: (visit: BankVisit) => Promise<unknown>) =>
    async ({ params }: Request, response: Response) => {
      const { authenticator } = dependencies
      const visit = await findVisit(response, authenticator, readTokenKey(params.token))
      if (!visit) throw unknownAuthentication()
      const { row, merchant } = visit
      const about = row.transaction_id ?? undefined
      Object.assign(getExchange(response), { pageOf: merchant, about })
      await answer(visit)
    }
  const onArrival = (answer: (sendPage: SendBankPage, visit: BankVisit) => Promise<unknown>) =>
    onVisit(async (visit) => answer(sendPage, await openBank(visit)))
  const router = Router()
  router.use(receiveParameters, notePageLocale)
  router.get('/payment/:token', ({ params }, response) => redirectPayment(params.token, response))
  router.get('/:token', onArrival(answerPayer))
  router.post('/:token', onArrival(receiveAnswer))
  router.get('/:token/app', onArrival(showApp))
  router.post('/:token/page', onVisit(receivePresence))
  router.use(refusalPage(sendPage))
  return router
}

/** Redirects from a payment's own address to the bank, or to the payment's result. */
async function redirectPayment(token: string, response: Response) {
  const { database, addresses } = getExchange(response).service
  const payment = await findTransactionByHrefToken(database.db, token)
  if (!payment) throw unknownAuthentication()
  const open = await findOpenAuthentication(database.db, payment.id)
  const on = open ? createBankAddress(response, open) : `${createHref(payment, addresses)}/result`
  response.redirect(303, withChosenLanguage(response, on))
}

/** Lets the payer arrive at the bank. */
async function openBank(visit: BankVisit): Promise<BankVisit> {
  const work = createWork(visit.response, visit.merchant)
  const row = await findCurrentAuthentication(work, visit.row)
  if (row.status === 'done' || row.opened_at !== null) return { ...visit, row }
  return { ...visit, row: (await answerAtBank(work, row)) ?? row }
}

async function receiveAnswer(sendPage: SendBankPage, visit: BankVisit) {
  const { response, row, merchant } = visit
  const { parameters } = getExchange(response)
  const answered =
    row.status === 'open' &&
    (await answerAtBank(createWork(response, merchant), row, readAction(parameters)))
  if (wantsJson(response)) return answerPayer(sendPage, { ...visit, row: answered || row })
  const page = parameters.action === 'app' ? '/app' : ''
  response.redirect(303, withChosenLanguage(response, createBankAddress(response, row) + page))
}

/** Shows the app next to the page, in which some challenges are answered. */
async function showApp(sendPage: SendBankPage, visit: BankVisit) {
  const { response, row } = visit
  const data = describeChallenge(visit)
  const isOpen = data.by === 'app' && row.status === 'open' && !isWaiting(row)
  return sendPage(response, renderApp(data, isOpen), visit)
}

/**
 * Notes that the bank's page has opened or is left. If the next page has already reported that it
 * is open, nothing changes.
 */
async function receivePresence({ response, row, merchant }: BankVisit) {
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
async function answerPayer(sendPage: SendBankPage, visit: BankVisit) {
  const { response, row } = visit
  const { getNow, service } = getExchange(response)
  const cres = row.status === 'open' ? writeSignedAnswer(row, getNow(visit.merchant.id)) : undefined
  const return_url = withChosenLanguage(response, `${service.addresses.pay}/v1/mpi_js/return`)
  const continue_url =
    row.status === 'done'
      ? withChosenLanguage(response, await createResultAddress(response, row))
      : undefined
  if (wantsJson(response)) {
    response.setHeader('Cache-Control', 'no-store, private')
    return response.json({
      state: getChallengeState(row, cres),
      ...createChallengeFacts(visit),
      ...(cres && { return_url, cres }),
      continue_url,
    })
  }
  if (continue_url) return response.redirect(303, continue_url)
  if (cres) return sendPage(response, answerView(return_url, cres), visit)
  const shown = describeChallenge(visit)
  if (isWaiting(row)) {
    response.setHeader('Refresh', '2')
    return sendPage(response, renderWaiting(shown), visit)
  }
  return sendPage(response, renderChallenge(shown), visit)
}

/** Maximum length of a page's own name. */
const LONGEST_NAME = 32

/** @param cres the bank's signed answer, if it has one */
function getChallengeState(row: AuthenticationRow, cres: string | undefined) {
  if (row.status === 'done') return 'ended'
  if (cres) return 'answered'
  return isWaiting(row) ? 'waiting' : 'open'
}

/** Parameters of the bank page's own requests. */
export const BANK_PAGE_FIELDS = ['page', 'left'] as const

export const BANK_FIELDS = ['action', 'code', 'answer', 'result', 'case'] as const

/** Reads each action; undefined if a required parameter is missing. */
const ACTIONS = {
  code(sent) {
    const code = text(sent, 'code')
    return code === undefined ? undefined : { kind: 'answer', given: [code] }
  },
  /** Ticked answers arrive as one key each. */
  answer(sent) {
    const { answer } = sent
    const given = isObject(answer) ? Object.keys(answer) : (text(sent, 'answer')?.split(',') ?? [])
    return given.length > 0 ? createBankAction(given.map((one) => one.trim())) : undefined
  },
  result(sent) {
    const result = RESULTS.find((each) => each === text(sent, 'result'))
    return result && { kind: 'result', result }
  },
  case(sent) {
    const number = Number(text(sent, 'case'))
    return OUTCOMES.has(number) ? { kind: 'case', number } : undefined
  },
  cancel: () => ({ kind: 'result', result: 'cancel' }),
  new_code: () => ({ kind: 'new_code' }),
  more_time: () => ({ kind: 'more_time' }),
} as const satisfies Readonly<
  Record<string, (sent: CallParameters<(typeof BANK_FIELDS)[number]>) => BankAction | undefined>
>

/** Reads the payer's action: the button's, or the one that the parameters imply. */
function readAction(parameters: Parameters): BankAction | undefined {
  const sent = pick(parameters, BANK_FIELDS)
  // The app sends an answer too.
  const action = text(sent, 'action')?.replace(/^app$/, 'answer')
  const read = Object.entries(ACTIONS).find(([name]) => name === action)?.[1]
  return read?.(sent) ?? ACTIONS.code(sent) ?? ACTIONS.answer(sent) ?? ACTIONS.result(sent)
}
