/** The plan cannot be used, or the shop does not do what the plan says. */
export class CheckError extends Error {}

/** The case cannot be checked with this shop or plan; the message says why. */
export class NotCheckedError extends Error {}

/** The check was ended before its case was over. */
export class CheckEndedError extends Error {}

/** Rules of an order that a shop can violate. `causes.ts` finds the cause from them. */
export type Violation =
  | 'fulfilled again'
  | 'not fulfilled'
  | 'fulfilled unpaid'
  | 'shown as paid'
  | 'not shown as paid'
  | 'wrong amount'
  | 'wrong currency'
  | 'changed by a forgery'
  | 'wrong refund'
  | 'paid twice'
  | 'no answer to a webhook'
  | 'rejected webhook'
  | 'no answer'
  | 'wrong answer'
  | 'not paid'
  | 'stored cards'

interface Money {
  readonly amount: string | undefined
  readonly currency: string | undefined
}

interface PaidOrder {
  readonly paymentRef: string
  /** Set for a charge of a subscription. */
  readonly subscriptionId?: number
}

/** Observations of a violation that help to find its cause. */
export interface FaultFacts {
  /** The shown amount of refunds, and the refunds at the gateway, the oldest first. */
  readonly refunded?: { readonly shown: string; readonly parts: readonly string[] }
  /** Paid periods of a subscription, and all charges with the declined ones. */
  readonly charges?: { readonly paid: number; readonly made: number; readonly counted: number }
  /** Amount and currency that the order shows, and that were paid. */
  readonly shown?: { readonly order: Money; readonly paid: Money & PaidOrder }
}

/** A mistake of the shop. */
export class ShopFault extends Error {
  readonly violation: Violation
  readonly facts: FaultFacts

  constructor(violation: Violation, message: string, facts: FaultFacts = {}) {
    super(message)
    this.violation = violation
    this.facts = facts
  }
}

/** Reports an error of Playwright in one sentence. */
export function toBrowserError(error: unknown): CheckError {
  if (error instanceof CheckError) return error
  const [line = ''] = (error as Error).message.split('\n')
  return new CheckError(`A step in the browser failed: ${line}.`)
}
