import type { Ambient } from '../domain/ambient.ts'
import type { ErrorName } from '../domain/errors/errors.ts'
import type { Decision, Refusal } from '../domain/order/decision.ts'
import { authCode, providerRef } from './bank-references.ts'

/** Methods whose payers answer elsewhere, in an app or at a bank. */
export type AskedMethod = 'swish' | 'bank' | 'paypal'

const YES = null
const no = (error: ErrorName) => ({ kind: 'declined', error }) as const
const broken = (error: ErrorName) => ({ kind: 'failed', error }) as const

const CANCELED = no('errors.payment.canceled')
const TIMEOUT = broken('errors.transaction.timeout')

/**
 * What a payer, the app or the bank may answer, and what the payment is refused with; null is a yes (our decision, as the
 * simulators of the field have it).
 */
export const PAYER_ANSWERS: Readonly<
  Record<AskedMethod, Readonly<Record<string, Pick<Refusal, 'kind' | 'error'> | null>>>
> = {
  swish: {
    approved: YES,
    declined: no('errors.payment.declined'),
    canceled: CANCELED,
    timeout: TIMEOUT,
    failed: broken('errors.payment.failed'),
  },
  bank: {
    approved: YES,
    canceled: CANCELED,
    timeout: TIMEOUT,
    insufficient_funds: no('errors.bankprovider.insufficient_funds'),
    account_declined: no('errors.bankprovider.account_declined'),
    account_not_found: no('errors.bankprovider.account_not_found'),
    disabled_user: no('errors.bankprovider.disabled_user'),
    deposit_not_captured: broken('errors.bankprovider.deposit_not_captured'),
  },
  paypal: {
    approved: YES,
    declined: no('errors.payment.declined'),
    canceled: CANCELED,
    timeout: TIMEOUT,
    failed: broken('errors.payment.failed'),
  },
}

/** Minutes that a payer has to answer: Swish waits three, as the app does. */
export const ANSWER_MINUTES: Readonly<Record<AskedMethod, number>> = { swish: 3, bank: 15, paypal: 15 }

/** The word of an app or a bank on what was asked there; undefined for an answer that this method does not have. */
export function wordOfPayer(
  method: AskedMethod,
  answer: string,
  randomBytes: Ambient['randomBytes'],
): Decision | undefined {
  const answers = PAYER_ANSWERS[method]
  const refusal = Object.hasOwn(answers, answer) ? answers[answer] : undefined
  if (refusal === undefined) return undefined
  if (refusal !== YES)
    return { ...refusal, explain: `The answer "${answer}" of the simulated ${method} makes this error` }
  return { kind: 'approved', authCode: authCode(randomBytes), providerRef: providerRef(randomBytes) }
}
