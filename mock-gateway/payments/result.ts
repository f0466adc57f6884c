import type { Authorization, BankRefusal } from '../acquirer/authorization.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Notice } from '../domain/notices.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import type { RecordedTransaction } from '../outbox/record.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'

/** Result of a payment. */
export type PaymentOutcome =
  /** No bank was asked yet: the payer pays at `href`, or a later call does. */
  | { readonly kind: 'prepared' }
  /** The money is taken or reserved. */
  | { readonly kind: 'approved' }
  /** The payer has yet to answer, in an app or at a bank. */
  | { readonly kind: 'pending' }
  /** 3-D Secure asks the payer before the bank's word applies. */
  | { readonly kind: 'challenge' }
  /** The transaction is stored, and `refusal` contains why it is not paid. */
  | { readonly kind: 'declined' | 'failed'; readonly refusal: GatewayError }

/** A transaction with the result of its payment. */
export type PaymentResult = RecordedTransaction &
  PaymentOutcome & {
    readonly notices: readonly Notice[]
  }

/**
 * A transaction after storing its card and starting its subscription, with the entries for its log.
 */
export interface PaymentSettlement {
  readonly row: TransactionRow
  readonly events: readonly PaymentEvent[]
}

/** @param answer undefined if no charge was attempted */
export function readOutcome(answer: Authorization | undefined): PaymentOutcome {
  if (answer === undefined) return { kind: 'prepared' }
  if (answer.kind === 'declined' || answer.kind === 'failed')
    return { kind: answer.kind, refusal: createRefusal(answer) }
  return { kind: answer.kind }
}

/** Returns why a payment is declined; undefined if it is not. */
export const findDecline = (outcome: PaymentOutcome): GatewayError | undefined =>
  outcome.kind === 'declined' || outcome.kind === 'failed' ? outcome.refusal : undefined

/** Returns the error of a payment that the bank declined. */
const createRefusal = ({ error, message, explain }: BankRefusal): GatewayError =>
  new GatewayError(error, { description: message, explain })
