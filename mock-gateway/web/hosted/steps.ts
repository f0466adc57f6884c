import type { Addresses } from '../../domain/addresses.ts'
import { GatewayError } from '../../domain/errors.ts'
import { redirectUrl } from '../../domain/urls.ts'
import { cancelAuthentication } from '../../payments/authentication/end.ts'
import { prolongPage } from '../../payments/prolong.ts'
import { refusalOf } from '../../payments/result.ts'
import { updateTransactionOf } from '../../payments/update.ts'
import { hrefOf } from '../../presentation/transaction.ts'
import { readPagePayment } from '../../requests/page-card.ts'
import { withItsParts } from '../../storage/transaction-parts.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { asGatewayError, writeRefusal } from '../http/refuse.ts'
import { asLocale } from '../pages/language.ts'
import { addressAfterBank, challengeAddress } from './authentication.ts'
import { ended, refusalOfEnd } from './ended-page.ts'
import { cardForm, type Problem, problemOf, problemsOf } from './form-page.ts'
import type { SendOwnPage } from './own-page.ts'
import type { SendPage } from './page.ts'
import { receipt } from './receipt-page.ts'
import { returnAddress } from './return-address.ts'
import { type Action, STEPS, type Step } from './standing.ts'
import type { Visit } from './visit.ts'
import { waiting } from './waiting-page.ts'

/** Carries out what a payer does at the address of a payment. */
export type TakeStep = (visit: Visit, action: Action) => Promise<void>

interface StepParts {
  readonly addresses: Addresses
  readonly sendPage: SendPage
  readonly sendOwnPage: SendOwnPage
  /** The payment once more, as it stands now. */
  readonly lookAgain: (visit: Visit) => Promise<Visit>
}

/** One function for each step that `STEPS` names. */
export function createSteps({ addresses, sendPage, sendOwnPage, lookAgain }: StepParts): TakeStep {
  const take: Readonly<Record<Step, (visit: Visit) => Promise<void>>> = {
    async form(visit) {
      const { response, row, merchant } = visit
      if (!(await sendOwnPage(response, row, merchant))) await sendPage(response, cardForm(visit))
    },
    async receipt(visit) {
      const { parts } = await withItsParts(exchangeOf(visit.response).service.database.db, visit.row)
      await sendPage(visit.response, receipt(visit, parts, addresses))
    },
    waiting: (visit) => sendPage(visit.response, waiting(visit, addresses)),
    expired: (visit) => end(visit, 'expired'),
    'used up': (visit) => end(visit, 'used up'),
    charge,
    leave: async ({ response, row, merchant, standing }) =>
      response.redirect(
        303,
        returnAddress(row, merchant, addresses, standing === 'used up' ? refusalOfEnd(standing) : LEFT),
      ),
    return: async (visit) => toShop(visit),
    page: async (visit) => toPage(visit),
    async prolong(visit) {
      await prolongPage(workOf(visit.response, visit.merchant), visit.row)
      toPage(visit)
    },
    async abort(visit) {
      const { response, row, merchant } = visit
      await cancelAuthentication(workOf(response, merchant), row.id)
      const after = await lookAgain(visit)
      response.redirect(303, addressAfterBank(after.row, merchant, addresses))
    },
  }
  const takeStep: TakeStep = (visit, action) => take[STEPS[visit.standing][action]](visit)
  return takeStep

  async function end(visit: Visit, how: 'expired' | 'used up'): Promise<void> {
    writeRefusal(visit.response, refusalOfEnd(how))
    await sendPage(visit.response, ended(visit, how, addresses))
  }

  function toShop({ response, row, merchant }: Visit, refusal?: GatewayError): void {
    response.redirect(303, returnAddress(row, merchant, addresses, refusal))
  }

  function toPage({ response, row }: Visit): void {
    const { lang } = exchangeOf(response).parameters
    response.redirect(303, redirectUrl(hrefOf(row, addresses), { lang: asLocale(lang) }))
  }

  async function charge(visit: Visit): Promise<void> {
    const { response, merchant, now } = visit
    const { parameters } = exchangeOf(response)
    try {
      const problems = problemsOf(parameters, now)
      if (problems.length > 0) return await again(visit, problems)
      const paid = await updateTransactionOf(workOf(response, merchant), readPagePayment(visit.row.id, parameters))
      if (paid.kind === 'challenge') return response.redirect(303, challengeAddress(paid.row, addresses))
      const refusal = refusalOf(paid)
      const after = await lookAgain(visit)
      if (refusal && stays(after)) return await again(after, [problemOf(refusal)])
      toShop(after, refusal)
    } catch (error) {
      const refusal = asGatewayError(error)
      if (refusal.entry.name === 'errors.unexpected') throw error
      // Of two submissions at once one pays, and the other shows what came of it.
      const after = await lookAgain(visit)
      if (STEPS[after.standing].pay !== 'charge') return await takeStep(after, 'pay')
      await again(after, [problemOf(refusal)])
    }
  }

  async function again(visit: Visit, problems: readonly Problem[]): Promise<void> {
    const [first] = problems
    const { response, row } = visit
    // Pages of merchants read in their own address what was wrong, and a reload sends nothing again.
    if (first && row.template_id !== null)
      return response.redirect(303, redirectUrl(hrefOf(row, addresses), { error_name: first.refusal.entry.name }))
    if (first) writeRefusal(visit.response, first.refusal)
    await sendPage(visit.response, cardForm(visit, problems))
  }
}

/** Whether who was refused may try again here and now. */
const stays = ({ merchant, standing }: Visit): boolean =>
  merchant.settings.page_refused === 'page' && STEPS[standing].pay === 'charge'

/** The payer has had enough; the payment can still be made. */
const LEFT = new GatewayError('errors.payment.canceled', { explain: 'The payer went back to the shop' })
