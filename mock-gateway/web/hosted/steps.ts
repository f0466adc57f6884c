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
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import type { OpenWork } from '../../work/work.ts'
import { createWork, getExchange } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { asForeseenError, noteRefusal, writeRefusal } from '../http/refuse.ts'
import {
  chooseAddress,
  createAddressAfterBank,
  createBackAddress,
  createChallengeAddress,
  createReturnAddress,
  hasOwnPage,
} from './addresses.ts'
import {
  createMethod,
  findChosenCard,
  findPayingWallet,
  loadChoices,
  notOffered,
  readChosenQuery,
} from './choices.ts'
import { findEnd, findLeavingRefusal, sendEndedPage } from './error-page.ts'
import { checkForm, type SentForm, toFormProblem } from './form.ts'
import { sendOwnPage } from './own-page.ts'
import type { PaymentPage } from './page.ts'
import { paymentForm } from './payment-form.ts'
import { renderReceiptPage } from './receipt-page.ts'
import { findVisit, type PageState, type PaymentVisit } from './visit.ts'
import { renderBankFramePage, renderSimulatorPage, renderWaitingPage } from './waiting-pages.ts'

const lookAgain = ({ authenticator }: PaymentPage, { response, row }: PaymentVisit) =>
  findVisit(row.href_token, response, authenticator)

/** A payer opens the page, follows its link to the shop, or sends a form. */
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
    show: ({ sendPage }, visit) => sendPage(visit.response, renderSimulatorPage(visit)),
    answer,
    cancel: leave,
    back: changePayment(stopAwaitingPayer),
  },
  authorized: PAID,
  'capture pending': PAID,
  approved: PAID,
  expired: EXPIRED,
  used_up: OVER,
  unpayable: OVER,
  link_over: OVER,
}

/** Returns the step that changes the payment, and then shows its page. */
function changePayment(change: (work: OpenWork, row: TransactionRow) => Promise<unknown>): Step {
  return async (page, visit) => {
    await change(createWork(visit.response, visit.merchant), visit.row)
    await redirectToPage(page, visit)
  }
}

export const takeStep = (page: PaymentPage, visit: PaymentVisit, action: VisitAction) =>
  (STEPS[visit.pageState][action] ?? showState)(page, visit)

async function showForm(page: PaymentPage, visit: PaymentVisit) {
  if (!(await sendOwnPage(page, visit)))
    await page.sendPage(visit.response, await paymentForm(visit))
}

async function showReceipt({ sendPage }: PaymentPage, visit: PaymentVisit) {
  const { response, row } = visit
  const { parts } = await loadRecord(getExchange(response).service.database.db, row)
  await sendPage(response, renderReceiptPage(visit, parts))
}

async function showWaiting({ sendPage, inPlace }: PaymentPage, visit: PaymentVisit) {
  if (inPlace) return sendPage(visit.response, renderBankFramePage(visit))
  const { db } = getExchange(visit.response).service.database
  const open = await findOpenAuthentication(db, visit.row.id)
  await sendPage(visit.response, renderWaitingPage(visit, open))
}

async function showEnd(page: PaymentPage, visit: PaymentVisit) {
  const end = findEnd(visit)
  if (!end) return redirectToPage(page, visit)
  const back = createBackAddress(visit.row.error_url, visit)
  await sendEndedPage(page.sendPage, visit, end, back)
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
      return visit.response.redirect(303, createChallengeAddress(visit))
    // In place, the page shows the bank in a frame.
    if (paid.kind === 'challenge' || paid.kind === 'pending') return redirectToPage(page, visit)
    const refusal = findDecline(paid)
    const after = await lookAgain(page, visit)
    const canRetry =
      after.merchant.settings.page_refused === 'page' && STEPS[after.pageState].pay === pay
    if (refusal && canRetry)
      return await redisplay(page, after, { problems: [toFormProblem(refusal)], method }, true)
    if (refusal) noteRefusal(visit.response, refusal)
    await returnToShop(page, after, refusal)
  } catch (error) {
    const refusal = asForeseenError(error)
    // Of two simultaneous submissions one pays, and the other shows the result.
    const after = await lookAgain(page, visit)
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
  const { response, row, href } = visit
  const [first] = sent.problems ?? []
  // If the address of an invoice is unknown, the page asks the payer for it. This is not an error.
  if (!first) return page.sendPage(response, await paymentForm(visit, sent))
  const isOwnPage = hasOwnPage(response, row)
  if (!isOwnPage && (page.inPlace || !redirects)) {
    writeRefusal(response, first.refusal)
    return page.sendPage(response.status(422), await paymentForm(visit, sent))
  }
  noteRefusal(response, first.refusal)
  const error_name = first.refusal.entry.name
  const address = isOwnPage ? href : chooseAddress(href, getExchange(response).parameters)
  const chosen = isOwnPage ? {} : readChosenQuery(visit, sent.method)
  response.redirect(303, redirectUrl(address, { error_name, ...chosen }))
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
async function abortAtBank(page: PaymentPage, visit: PaymentVisit) {
  await cancelAuthentication(createWork(visit.response, visit.merchant), visit.row.id)
  const after = await lookAgain(page, visit)
  visit.response.redirect(303, await createAddressAfterBank(page.templates, after))
}

async function leave(page: PaymentPage, visit: PaymentVisit) {
  await returnToShop(page, visit, findLeavingRefusal(visit))
}

async function returnToShop(page: PaymentPage, visit: PaymentVisit, refusal?: GatewayError) {
  visit.response.redirect(303, await createReturnAddress(page.templates, visit, refusal))
}

/** Redirects the payer to the page in its current state, or shows it in place. */
async function redirectToPage(
  page: PaymentPage,
  visit: PaymentVisit,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { response, href } = visit
  if (page.inPlace) return takeStep(page, await lookAgain(page, visit), 'show')
  const address = chooseAddress(href, getExchange(response).parameters)
  response.redirect(303, redirectUrl(address, query))
}
