import type { Addresses } from '../../domain/addresses.ts'
import type { GatewayError } from '../../domain/errors/errors.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import {
  type PageAction,
  readPageAnswer,
  readPageMethod,
  readPagePayment,
} from '../../parsing/page-payment.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { answerPayment, stopAwaitingPayer } from '../../payments/answer.ts'
import {
  cancelAuthentication,
  findOpenAuthentication,
  leaveBank,
} from '../../payments/authentication/end.ts'
import { prolongPage, removeCardOnPage } from '../../payments/on-page.ts'
import { findDecline, type PaymentResult } from '../../payments/result.ts'
import { changeTransaction } from '../../payments/update.ts'
import { createHref } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import type { OpenWork } from '../../work/work.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { asGatewayError, noteRefusal, writeRefusal } from '../http/refuse.ts'
import {
  chooseAddress,
  createBackAddress,
  createChallengeAddress,
  hasOwnPage,
  type ReturnAddresses,
} from './addresses.ts'
import {
  createMethod,
  findChosenCard,
  findPayingWallet,
  loadChoices,
  notOffered,
  readChosenQuery,
} from './choices.ts'
import { findEnd, findLeavingRefusal, renderEndedPage } from './ended-page.ts'
import { checkForm, type SentForm } from './form.ts'
import type { SendOwnPage } from './own-page.ts'
import type { SendHostedPage } from './page.ts'
import { paymentForm } from './payment-form.ts'
import { toFormProblem } from './problems.ts'
import { renderReceiptPage } from './receipt-page.ts'
import type { PageState, PaymentVisit } from './visit.ts'
import { renderBankFramePage, renderSimulatorPage, renderWaitingPage } from './waiting-pages.ts'

/** Dependencies of the steps at a payment's address. */
export interface PaymentPage {
  readonly addresses: Addresses
  readonly returns: ReturnAddresses
  readonly sendPage: SendHostedPage
  readonly sendOwnPage: SendOwnPage
  /** True if pages are shown at the address of the order form (setting `form_in_place`). */
  readonly inPlace: boolean
  /** Reads the payment again. */
  readonly lookAgain: (visit: PaymentVisit) => Promise<PaymentVisit>
}

/** Actions at the address of a payment: a payer shows the page, follows its link to the shop, or sends a form. */
export type VisitAction = 'show' | 'return' | PageAction

type Step = (page: PaymentPage, visit: PaymentVisit) => Promise<void>

const PAYABLE = {
  show: showForm,
  pay,
  return: leave,
  cancel: leave,
  extend: changePayment(prolongPage),
  remove_card: removeCard,
} as const
const PAID = {
  show: showReceipt,
  return: returnToShop,
  pay: returnToShop,
  answer: returnToShop,
} as const
const EXPIRED = { show: showEnd, return: leave } as const
const OVER = { ...EXPIRED, cancel: leave } as const

/**
 * What each action does in each state of a payment's page (decision 64). Every other action
 * redirects to the page, which shows its state: a reload then sends nothing again.
 */
export const STEPS: Readonly<Record<PageState, Readonly<Partial<Record<VisitAction, Step>>>>> = {
  pending: PAYABLE,
  declined: PAYABLE,
  failed: PAYABLE,
  '3ds pending': {
    show: showWaiting,
    pay,
    cancel: abortAtBank,
    back: changePayment((work, { id }) => leaveBank(work, id)),
  },
  waiting: {
    show: ({ sendPage, addresses }, visit) =>
      sendPage(visit.response, renderSimulatorPage(visit, addresses)),
    answer,
    cancel: leave,
    back: changePayment(stopAwaitingPayer),
  },
  authorized: PAID,
  'capture pending': PAID,
  approved: PAID,
  expired: EXPIRED,
  'used up': OVER,
  unpayable: OVER,
  'link over': OVER,
}

/** Returns the step that changes the payment, and then shows its page. */
function changePayment(change: (work: OpenWork, row: TransactionRow) => Promise<unknown>): Step {
  return async (page, visit) => {
    await change(createWork(visit.response, visit.merchant), visit.row)
    await redirectToPage(page, visit)
  }
}

/** Runs the step of an action. */
export const takeStep = (page: PaymentPage, visit: PaymentVisit, action: VisitAction) =>
  (STEPS[visit.pageState][action] ?? showState)(page, visit)

async function showForm({ sendPage, sendOwnPage }: PaymentPage, visit: PaymentVisit) {
  if (!(await sendOwnPage(visit))) await sendPage(visit.response, await paymentForm(visit))
}

async function showReceipt({ sendPage, addresses }: PaymentPage, visit: PaymentVisit) {
  const { response, row } = visit
  const { parts } = await loadRecord(getExchange(response).service.database.db, row)
  const back = createBackAddress(row.success_url, row, addresses)
  await sendPage(response, renderReceiptPage(visit, parts, back))
}

async function showWaiting({ sendPage, addresses, inPlace }: PaymentPage, visit: PaymentVisit) {
  if (inPlace) return sendPage(visit.response, renderBankFramePage(visit, addresses))
  const { db } = getExchange(visit.response).service.database
  const open = await findOpenAuthentication(db, visit.row.id)
  await sendPage(visit.response, renderWaitingPage(visit, open, addresses))
}

async function showEnd(page: PaymentPage, visit: PaymentVisit) {
  const end = findEnd(visit)
  if (!end) return redirectToPage(page, visit)
  writeRefusal(visit.response, end.refusal)
  const back = createBackAddress(visit.row.error_url, visit.row, page.addresses)
  await page.sendPage(visit.response, renderEndedPage(visit, end, back))
}

async function showState(page: PaymentPage, visit: PaymentVisit) {
  const end = findEnd(visit)
  if (end) noteRefusal(visit.response, end.refusal)
  await redirectToPage(page, visit)
}

async function pay(page: PaymentPage, visit: PaymentVisit) {
  const { response, row, merchant, pageState, now } = visit
  const { parameters } = getExchange(response)
  const choices = await loadChoices(visit)
  const method = choices.methods.find((each) => each === readPageMethod(parameters))
  if (method === undefined) {
    const refusal = notOffered('this payment_method', 'payment_methods')
    return redisplay(page, visit, { problems: [toFormProblem(refusal)] })
  }
  const isCard = method === 'credit_card'
  const stored = isCard ? await findChosenCard(visit, text(parameters, 'stored_card')) : undefined
  const sent = checkForm(visit, method, stored)
  if (sent.problems) return redisplay(page, visit, { ...sent, choices })
  const offer = {
    token: stored?.token,
    canStore: choices.canStore,
    plans: choices.plans.map(({ id }) => id),
    found: sent.invoice?.found,
    replacedVersion: pageState === '3ds pending' ? row.version : undefined,
    now,
  }
  await respondWithResult(page, visit, 'pay', method, async () => {
    const wallet = isCard ? findPayingWallet(visit, parameters) : undefined
    const command = readPagePayment(row.id, parameters, method, { ...offer, wallet })
    return changeTransaction(createWork(response, merchant), maskCardNumbers(response, command))
  })
}

async function answer(page: PaymentPage, visit: PaymentVisit) {
  const { response, row, merchant } = visit
  const given = readPageAnswer(row.id, getExchange(response).parameters)
  await respondWithResult(page, visit, 'answer', createMethod(row.payment_method), () =>
    answerPayment(createWork(response, merchant), given),
  )
}

/** Responds with the result of a payment: a page, or a redirect to the shop. */
async function respondWithResult(
  page: PaymentPage,
  visit: PaymentVisit,
  action: 'pay' | 'answer',
  method: PageMethod,
  run: () => Promise<PaymentResult>,
): Promise<void> {
  try {
    const paid = await run()
    if (paid.kind === 'challenge' && !page.inPlace)
      return visit.response.redirect(303, createChallengeAddress(visit.row, page.addresses))
    // In place, the page shows the bank in a frame.
    if (paid.kind === 'challenge' || paid.kind === 'pending') return redirectToPage(page, visit)
    const refusal = findDecline(paid)
    const after = await page.lookAgain(visit)
    const canRetry =
      after.merchant.settings.page_refused === 'page' && STEPS[after.pageState].pay === pay
    if (refusal && canRetry)
      return await redisplay(page, after, { problems: [toFormProblem(refusal)], method }, true)
    await returnToShop(page, after, refusal)
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') throw error
    // Of two simultaneous submissions one pays, and the other shows the result.
    const after = await page.lookAgain(visit)
    if (STEPS[after.pageState][action] !== STEPS[visit.pageState][action])
      return await takeStep(page, after, action)
    if (after.pageState === 'waiting') throw error
    if (after.pageState === '3ds pending' && refusal.entry.name === 'errors.transaction.locked')
      return await redirectToPage(page, after)
    await redisplay(page, after, { problems: [toFormProblem(refusal)], method })
  }
}

/**
 * Shows a form with mistakes again, with the typed values. Other errors end in a redirect to the
 * page, which reads the error from its address: a reload then sends no card again. A page in place
 * has no other address.
 * @param redirects the first problem is not a field's, or comes from the bank
 */
async function redisplay(
  page: PaymentPage,
  visit: PaymentVisit,
  sent: SentForm,
  redirects = sent.problems?.[0]?.field === null,
): Promise<void> {
  const { response, row } = visit
  const first = sent.problems?.[0]
  if (first && (hasOwnPage(response, row) || (redirects && !page.inPlace)))
    return redirectWithError(page, visit, first.refusal, sent.method)
  if (first) writeRefusal(response, first.refusal)
  await page.sendPage(response, await paymentForm(visit, sent))
}

async function redirectWithError(
  page: PaymentPage,
  visit: PaymentVisit,
  refusal: GatewayError,
  method: PageMethod | undefined,
): Promise<void> {
  const { response, row } = visit
  const { parameters } = getExchange(response)
  noteRefusal(response, refusal)
  const href = createHref(row, page.addresses)
  const error_name = refusal.entry.name
  if (hasOwnPage(response, row)) return response.redirect(303, redirectUrl(href, { error_name }))
  const query = { error_name, ...readChosenQuery(visit, method) }
  response.redirect(303, redirectUrl(chooseAddress(href, parameters), query))
}

async function removeCard(page: PaymentPage, visit: PaymentVisit) {
  const { response, row, merchant } = visit
  const { parameters } = getExchange(response)
  const card = await findChosenCard(visit, text(parameters, 'stored_card'))
  if (card) await removeCardOnPage(createWork(response, merchant), row, card)
  // The page reports the removal, and has the other cards.
  const removed = { 'payment.selected': 'credit_card', removed: 'card' }
  await redirectToPage(page, visit, card ? removed : {})
}

/** Ends the 3-D Secure challenge, and returns to the shop. */
async function abortAtBank({ returns, lookAgain }: PaymentPage, visit: PaymentVisit) {
  await cancelAuthentication(createWork(visit.response, visit.merchant), visit.row.id)
  visit.response.redirect(303, await returns.afterBank(await lookAgain(visit)))
}

async function leave({ returns }: PaymentPage, visit: PaymentVisit) {
  visit.response.redirect(303, await returns.after(visit, findLeavingRefusal(visit)))
}

async function returnToShop(
  { returns }: PaymentPage,
  visit: PaymentVisit,
  refusal?: GatewayError,
): Promise<void> {
  if (refusal) noteRefusal(visit.response, refusal)
  visit.response.redirect(303, await returns.after(visit, refusal))
}

/** Redirects the payer to the page in its current state, or shows it in place. */
async function redirectToPage(
  page: PaymentPage,
  visit: PaymentVisit,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { response, row } = visit
  if (page.inPlace) return takeStep(page, await page.lookAgain(visit), 'show')
  const address = chooseAddress(createHref(row, page.addresses), getExchange(response).parameters)
  response.redirect(303, redirectUrl(address, query))
}
