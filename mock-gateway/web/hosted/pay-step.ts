import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { PageMethod } from '../../domain/order/payment-methods.ts'
import { redirectUrl } from '../../domain/order/urls.ts'
import type { SentPaymentDetails } from '../../domain/payer/payment-details.ts'
import { readPageDetails, readPageMethod, readPagePayment } from '../../parsing/page-payment.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { answerPayment } from '../../payments/answer.ts'
import { type PaymentResult, refusalOf } from '../../payments/result.ts'
import { updateTransactionOf } from '../../payments/update.ts'
import { hrefOf } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { maskCardNumbers } from '../http/mask-card-numbers.ts'
import { asGatewayError, noteRefusal, writeRefusal } from '../http/refuse.ts'
import { challengeAddress } from './authentication.ts'
import { findChosenCard, loadChoices, type PageChoices } from './choices.ts'
import { chosenAddress, hasOwnPage } from './chosen-page.ts'
import { type RedisplayOptions, validateForm } from './form-data.ts'
import { paymentForm } from './form-page.ts'
import { invoiceForm } from './invoice-form.ts'
import { methodOf } from './methods.ts'
import type { SendOwnPage } from './own-page.ts'
import type { SendHostedPage } from './page.ts'
import { STEPS, type VisitAction } from './page-state.ts'
import { type FormProblem, toFormProblem } from './problems.ts'
import { returnAddress } from './return-address.ts'
import type { PaymentVisit } from './visit.ts'
import { openWallet, payingWallet } from './wallets.ts'

/** Dependencies of the steps at a payment's address. */
export interface PaymentPage {
  readonly addresses: Addresses
  readonly sendPage: SendHostedPage
  readonly sendOwnPage: SendOwnPage
  /** True if pages are shown at the address of the order form (setting `form_in_place`). */
  readonly inPlace: boolean
  /** Reads the payment again. */
  readonly lookAgain: (visit: PaymentVisit) => Promise<PaymentVisit>
  readonly takeStep: RunStep
}

/** Runs the step of an action. */
export type RunStep = (visit: PaymentVisit, action: VisitAction) => Promise<void>

export async function runPayStep(page: PaymentPage, visit: PaymentVisit): Promise<void> {
  const { response, row, merchant, pageState, now } = visit
  const { parameters } = exchangeOf(response)
  const choices = await loadChoices(visit)
  const method = choices.methods.find((each) => each === readPageMethod(parameters))
  if (method === undefined) return await redisplayOnError(page, visit, [toFormProblem(NOT_OFFERED)])
  const isCard = method === 'credit_card'
  const stored = isCard ? await findChosenCard(visit, text(parameters, 'stored_card')) : undefined
  const problems = validateForm(visit, method, stored)
  if (problems.length > 0) return await redisplayOnError(page, visit, problems, { choices, method })
  const step = text(parameters, 'step')
  const invoice =
    method === 'invoice'
      ? invoiceForm(row, readPageDetails(parameters), step ?? 'payer')
      : undefined
  // A form without a step is the merchant's own, with its own fields.
  if (invoice && !invoice.isComplete && step !== undefined)
    return await redisplayOnError(page, visit, invoice.problems, { choices, method, invoice })
  const offer = {
    token: stored?.token,
    canStore: choices.canStore,
    plans: choices.plans.map(({ id }) => id),
    found: invoice?.found ? withoutNulls(invoice.found) : undefined,
    replaces: pageState === '3ds pending' ? row.version : undefined,
    now,
  }
  await respondWithResult(page, visit, 'pay', method, async () => {
    const wallet = isCard ? payingWallet(visit, parameters) : undefined
    const command = maskCardNumbers(
      response,
      readPagePayment(row.id, parameters, method, { ...offer, wallet }),
    )
    return updateTransactionOf(workOf(response, merchant), command)
  })
}

export async function runAnswerStep(page: PaymentPage, visit: PaymentVisit): Promise<void> {
  const { response, row, merchant } = visit
  const { parameters } = exchangeOf(response)
  const given = {
    id: row.id,
    answer: text(parameters, 'answer'),
    shown: text(parameters, 'version'),
    form: true,
  } as const
  await respondWithResult(page, visit, 'answer', methodOf(row.payment_method), () =>
    answerPayment(workOf(response, merchant), given),
  )
}

/** Responds with the result of a payment: a page, or a redirect to the shop. */
async function respondWithResult(
  page: PaymentPage,
  visit: PaymentVisit,
  action: 'pay' | 'answer',
  method: PageMethod,
  pay: () => Promise<PaymentResult>,
): Promise<void> {
  try {
    const paid = await pay()
    if (paid.kind === 'challenge') return await redirectToBank(page, visit, paid.row)
    if (paid.kind === 'pending') return await redirectToPage(page, visit)
    const refusal = refusalOf(paid)
    const after = await page.lookAgain(visit)
    if (refusal && canRetryOnPage(after))
      return await redirectWithError(page, after, toFormProblem(refusal), { method })
    redirectToShop(page, after, refusal)
  } catch (error) {
    const refusal = asGatewayError(error)
    if (refusal.entry.name === 'errors.unexpected') throw error
    // Of two simultaneous submissions one pays, and the other shows the result.
    const after = await page.lookAgain(visit)
    if (STEPS[after.pageState][action] !== STEPS[visit.pageState][action])
      return await page.takeStep(after, action)
    if (after.pageState === 'asked') throw error
    if (after.pageState === '3ds pending' && refusal.entry.name === 'errors.transaction.locked')
      return await redirectToPage(page, after)
    await redisplayOnError(page, after, [toFormProblem(refusal)], { method })
  }
}

/** Shows a form with mistakes again, with the typed values. Other errors end in a redirect. */
async function redisplayOnError(
  page: PaymentPage,
  visit: PaymentVisit,
  problems: readonly FormProblem[],
  options: ShownForm = {},
): Promise<void> {
  const [first] = problems
  if (first && (first.field === null || hasOwnPage(visit.response, visit.row)))
    return redirectWithError(page, visit, first, options)
  await showForm(page, visit, problems, options)
}

type ShownForm = RedisplayOptions & { readonly choices?: PageChoices }

async function showForm(
  { sendPage }: PaymentPage,
  visit: PaymentVisit,
  problems: readonly FormProblem[],
  { choices, ...shown }: ShownForm,
): Promise<void> {
  if (problems[0]) writeRefusal(visit.response, problems[0].refusal)
  await sendPage(
    visit.response,
    paymentForm(visit, choices ?? (await loadChoices(visit)), { ...shown, problems }),
  )
}

/**
 * Redirects to the page, which reads the error from its address: a reload then sends no card again.
 * A page in place has no other address.
 */
async function redirectWithError(
  page: PaymentPage,
  visit: PaymentVisit,
  problem: FormProblem,
  options: ShownForm,
): Promise<void> {
  const { response, row } = visit
  const { parameters } = exchangeOf(response)
  const isOwn = hasOwnPage(response, row)
  if (page.inPlace && !isOwn) return await showForm(page, visit, [problem], options)
  noteRefusal(response, problem.refusal)
  const href = hrefOf(row, page.addresses)
  const shown = isOwn
    ? {}
    : {
        'payment.selected': openWallet(visit, parameters) ?? options.method,
        stored_card: text(parameters, 'stored_card')?.slice(0, MAX_ID_LENGTH),
        plan: text(parameters, 'plan_id')?.slice(0, MAX_ID_LENGTH),
        store_card: text(parameters, 'store_card') === undefined ? undefined : 'true',
      }
  response.redirect(
    303,
    redirectUrl(isOwn ? href : chosenAddress(href, parameters), {
      error_name: problem.refusal.entry.name,
      ...shown,
    }),
  )
}

/** Number of digits of the longest id. */
const MAX_ID_LENGTH = 16

export function redirectToShop(
  { addresses }: PaymentPage,
  { response, row, merchant }: PaymentVisit,
  refusal?: GatewayError,
): void {
  if (refusal) noteRefusal(response, refusal)
  response.redirect(303, returnAddress(row, merchant, addresses, refusal))
}

/** Redirects the payer to the page in its current state, or shows it in place. */
export async function redirectToPage(
  page: PaymentPage,
  visit: PaymentVisit,
  query: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { response, row } = visit
  if (page.inPlace) return page.takeStep(await page.lookAgain(visit), 'show')
  const address = chosenAddress(hrefOf(row, page.addresses), exchangeOf(response).parameters)
  response.redirect(303, redirectUrl(address, query))
}

/** Redirects the payer to the bank; in place, the page shows the bank in a frame. */
async function redirectToBank(
  page: PaymentPage,
  visit: PaymentVisit,
  row: TransactionRow,
): Promise<void> {
  if (page.inPlace) return redirectToPage(page, visit)
  visit.response.redirect(303, challengeAddress(row, page.addresses))
}

const NOT_OFFERED = new GatewayError('errors.request.bad_format', {
  explain:
    "The page does not offer this payment_method. See the merchant's setting payment_methods.",
})

const withoutNulls = (found: Readonly<Record<string, string | null>>): SentPaymentDetails =>
  Object.fromEntries(Object.entries(found).filter(([, value]) => value !== null))

/** Returns true if the payer may retry on this page. */
const canRetryOnPage = ({ merchant, pageState }: PaymentVisit): boolean =>
  merchant.settings.page_refused === 'page' && STEPS[pageState].pay === 'charge'
