import { GatewayError } from '../../domain/errors/errors.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import { stopAsking } from '../../payments/answer.ts'
import { cancelAuthentication, leaveBank } from '../../payments/authentication/end.ts'
import { prolongPage } from '../../payments/prolong.ts'
import { removeCardOnPage } from '../../payments/remove-card.ts'
import { findAuthentication } from '../../storage/authentications.ts'
import { loadRecord } from '../../storage/transaction-parts.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { noteRefusal, writeRefusal } from '../http/refuse.ts'
import { addressAfterBank } from './authentication.ts'
import { bankFramePage } from './bank-frame.ts'
import { findChosenCard, loadChoices } from './choices.ts'
import { endedPage, errorOfEnd, isEnd, type PageEnd } from './ended-page.ts'
import { paymentForm } from './form-page.ts'
import { type PageStep, STEPS } from './page-state.ts'
import {
  type PaymentPage,
  type RunStep,
  redirectToPage,
  redirectToShop,
  runAnswerStep,
  runPayStep,
} from './pay-step.ts'
import { receiptPage } from './receipt-page.ts'
import { returnAddress } from './return-address.ts'
import { simulatorPage } from './simulator-page.ts'
import type { PaymentVisit } from './visit.ts'
import { waitingPage } from './waiting-page.ts'

/** Creates the function that runs the steps in `STEPS`. */
export function createStepRunner(given: Omit<PaymentPage, 'takeStep'>): RunStep {
  const page: PaymentPage = {
    ...given,
    takeStep: (visit, action) => TAKE[STEPS[visit.pageState][action]](page, visit),
  }
  return page.takeStep
}

const TAKE: Readonly<Record<PageStep, (page: PaymentPage, visit: PaymentVisit) => Promise<void>>> =
  {
    async form({ sendPage, sendOwnPage }, visit) {
      const { response, row, merchant } = visit
      if (!(await sendOwnPage(response, row, merchant)))
        await sendPage(response, paymentForm(visit, await loadChoices(visit)))
    },
    async receipt({ sendPage, addresses }, visit) {
      const { parts } = await loadRecord(exchangeOf(visit.response).service.database.db, visit.row)
      await sendPage(visit.response, receiptPage(visit, parts, addresses))
    },
    async waiting({ sendPage, addresses, inPlace }, visit) {
      if (inPlace) return sendPage(visit.response, bankFramePage(visit, addresses))
      const { db } = exchangeOf(visit.response).service.database
      const asked = await findAuthentication(db, { transaction_id: visit.row.id, status: 'open' })
      await sendPage(visit.response, waitingPage(visit, asked, addresses))
    },
    simulator: ({ sendPage, addresses }, visit) =>
      sendPage(visit.response, simulatorPage(visit, addresses)),
    expired: (page, visit) => end(page, visit, 'expired'),
    'used up': (page, visit) => end(page, visit, 'used up'),
    unpayable: (page, visit) => end(page, visit, 'unpayable'),
    'link over': (page, visit) => end(page, visit, 'link over'),
    charge: runPayStep,
    answer: runAnswerStep,
    async 'remove card'(page, visit) {
      const { response, row, merchant } = visit
      const { parameters } = exchangeOf(response)
      const card = await findChosenCard(visit, text(parameters, 'stored_card'))
      if (card) await removeCardOnPage(workOf(response, merchant), row, card)
      await redirectToPage(page, visit, card ? REMOVED : {})
    },
    async 'stop asking'(page, visit) {
      await stopAsking(workOf(visit.response, visit.merchant), visit.row)
      await redirectToPage(page, visit)
    },
    async 'begin anew'(page, visit) {
      await leaveBank(workOf(visit.response, visit.merchant), visit.row.id)
      await redirectToPage(page, visit)
    },
    leave: async ({ addresses }, visit) => {
      const { response, row, merchant, pageState } = visit
      const refusal = isEnd(pageState) ? errorOfEnd(visit, pageState) : LEFT
      response.redirect(303, returnAddress(row, merchant, addresses, refusal))
    },
    return: async (page, visit) => redirectToShop(page, visit),
    async page(page, visit) {
      const { response, pageState } = visit
      if (isEnd(pageState)) noteRefusal(response, errorOfEnd(visit, pageState))
      await redirectToPage(page, visit)
    },
    async prolong(page, visit) {
      await prolongPage(workOf(visit.response, visit.merchant), visit.row)
      await redirectToPage(page, visit)
    },
    async abort({ addresses, lookAgain }, visit) {
      const { response, row, merchant } = visit
      await cancelAuthentication(workOf(response, merchant), row.id)
      const after = await lookAgain(visit)
      response.redirect(303, addressAfterBank(after.row, merchant, addresses))
    },
  }

async function end(
  { sendPage, addresses }: PaymentPage,
  visit: PaymentVisit,
  how: PageEnd,
): Promise<void> {
  writeRefusal(visit.response, errorOfEnd(visit, how))
  await sendPage(visit.response, endedPage(visit, how, addresses))
}

/** Leads to the page that reports the removal, with the other cards. */
const REMOVED = { 'payment.selected': 'credit_card', removed: 'card' }

/** The payer leaves; the payment can still be made. */
const LEFT = new GatewayError('errors.payment.canceled', {
  explain: 'The payer went back to the shop.',
})
