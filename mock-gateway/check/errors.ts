import type { OrderView } from './order-view.ts'
import type { Purchase } from './purchase.ts'

/** The plan cannot be used, or the shop does not do what the plan says. */
export class CheckError extends Error {}

/** The shop sent the payer nowhere. */
export class NoPageError extends CheckError {
  /** Status of its answer; 0 for none. */
  readonly status: number

  constructor(message: string, status = 0) {
    super(message)
    this.status = status
  }
}

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
  | 'captured another amount'
  | 'changed by a forgery'
  | 'wrong refund'
  | 'paid twice'
  | 'no answer to a webhook'
  | 'rejected webhook'
  | 'no answer'
  | 'wrong answer'
  | 'not paid'
  | 'stored cards'

/** Facts of a purchase or a charge that decide whether its order is right. */
export type JudgedPurchase = Pick<
  Purchase,
  'payment_ref' | 'amount' | 'currency' | 'subscriptionId' | 'refunded'
>

/** Observations of a violation that help to find its cause. */
export interface FaultFacts {
  /** The order, and its purchase. */
  readonly order?: OrderView
  readonly purchase?: JudgedPurchase
  /** Periods of a subscription: paid, charged (also declined), and counted by the shop's order. */
  readonly periods?: { readonly paid: number; readonly made: number; readonly counted: number }
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
