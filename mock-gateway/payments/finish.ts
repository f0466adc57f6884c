import { GatewayError } from '../domain/errors/errors.ts'
import type { NewSubscription } from '../domain/subscription/subscription.ts'
import type { PaymentEvent } from '../outbox/payment-events.ts'
import { record } from '../outbox/record.ts'
import type { TransactionChanges, TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionParts } from '../storage/transaction-parts.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { Work } from '../work/work.ts'
import { type Charge, chargeEvents } from './charge-by-answer.ts'
import { type PaymentResult, type PaymentSettlement, readOutcome } from './result.ts'
import { createCardOwner, settleCard } from './settle-card.ts'
import { noticeSubscription, settleSubscription } from './subscribe.ts'

/** Input of `finish` except the transaction. */
interface PaymentToFinish {
  /** Undefined if no charge was attempted. */
  readonly charged: Charge | undefined
  /** Result of `planSubscription` before the charge. */
  readonly ordered?: NewSubscription | undefined
  /** Read if undefined. */
  readonly parts?: TransactionParts
  /** Events before the charge. */
  readonly before?: readonly PaymentEvent[]
  /** The payer sent it from the payment page or a form. */
  readonly form?: boolean | undefined
}

/**
 * Ends everything that can charge a transaction, in the database transaction that writes it: stores
 * the authentication, settles the paid amount and records the result.
 */
export async function finish(
  work: Work,
  row: TransactionRow,
  unfinished: PaymentToFinish,
): Promise<PaymentResult> {
  const { charged, ordered, parts, before = [], form } = unfinished
  await charged?.authentication?.keep?.(work, row, charged.storingFails === true)
  const settled = charged ? await settlePayment(work, row, charged, ordered) : { row, events: [] }
  const events = charged ? chargeEvents(charged, form) : []
  return {
    ...(await record(work, settled.row, [...before, ...events, ...settled.events], parts)),
    ...readOutcome(charged?.answer),
    notices: noticeSubscription(ordered, settled.row),
  }
}

/**
 * Applies the sent changes and the charge to a transaction, if it is still as it was read, and
 * finishes it.
 * @throws errors.transaction.locked (1531) if another request was first
 */
export async function changeAndFinish(
  work: Work,
  transaction: TransactionRow,
  unfinished: PaymentToFinish & { readonly columns?: TransactionChanges },
): Promise<PaymentResult> {
  const columns = { ...unfinished.columns, ...unfinished.charged?.columns }
  const customer_id = await createCardOwner(
    work,
    { ...transaction, ...unfinished.columns } as TransactionRow,
    unfinished.charged,
  )
  return finish(work, await change(work, transaction, { ...columns, customer_id }), unfinished)
}

/**
 * Completes a payment: stores the card, then starts the subscription. Does nothing for a declined
 * payment, or while the payer's answer is missing.
 */
async function settlePayment(
  work: Work,
  row: TransactionRow,
  charged: Charge,
  ordered: NewSubscription | undefined,
): Promise<PaymentSettlement> {
  if (charged.answer.kind !== 'approved') return { row, events: [] }
  const stored = await settleCard(work, row, charged)
  const subscribed = await settleSubscription(work, stored.row, charged.card, ordered)
  return { row: subscribed.row, events: [...stored.events, ...subscribed.events] }
}

/**
 * Changes a transaction, if it is still as it was read.
 * @throws errors.transaction.locked (1531) if another request was first
 */
export async function change(
  { queries }: Pick<Work, 'queries'>,
  read: TransactionRow,
  changes: TransactionChanges,
): Promise<TransactionRow> {
  const row = await updateTransaction(queries, read, changes)
  if (!row)
    throw new GatewayError('errors.transaction.locked', {
      explain:
        'Another request changed the transaction at the same time. Read the transaction again.',
    })
  return row
}
