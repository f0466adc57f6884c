import type { NewSubscription } from '../domain/subscription/subscription.ts'
import type { Happening } from '../events/happenings.ts'
import { record } from '../events/record.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { TransactionParts } from '../storage/transaction-parts.ts'
import type { Work } from '../storage/work.ts'
import { type Charge, chargeHappenings } from './charge.ts'
import { outcomeOf, type PaymentResult } from './result.ts'
import { settle } from './settle.ts'
import { subscriptionNotes } from './subscribe.ts'

/** What is known of a transaction that is written, and may have been charged. */
export interface Written {
  /** Undefined where nobody was asked for money. */
  readonly charged: Charge | undefined
  readonly ordered: NewSubscription | undefined
  readonly parts: TransactionParts
  /** What has happened before the charge. */
  readonly before: readonly Happening[]
  /** The payer sent it from the payment page or a form. */
  readonly form?: true | undefined
}

/** The end of a create or an update: keeps how the payer is authenticated, settles what is paid and records it all. */
export async function finish(work: Work, row: TransactionRow, written: Written): Promise<PaymentResult> {
  const { charged, ordered, parts, before, form } = written
  await charged?.authentication?.keep(work, row, charged.storingFails)
  const settled = charged ? await settle(work, row, charged, ordered) : { row, happenings: [] }
  const told = charged ? chargeHappenings(charged, form) : []
  return {
    ...(await record(work, settled.row, [...before, ...told, ...settled.happenings], parts)),
    ...outcomeOf(charged?.answer),
    notes: subscriptionNotes(ordered, settled.row),
  }
}
