import type { Authorization } from '../acquirer/authorization.ts'
import { authorize } from '../acquirer/authorize.ts'
import { storingFails } from '../acquirer/service-instructions.ts'
import type { SentCard } from '../cards/payment-card.ts'
import { entryByKey } from '../domain/errors.ts'
import { payableAmount } from '../domain/money.ts'
import { PAYMENT_METHODS } from '../domain/payment-methods.ts'
import type { Happening } from '../events/happenings.ts'
import type { TransactionChanges } from '../storage/transactions.ts'
import type { Work } from '../storage/work.ts'
import { columnsBy } from './columns-by-answer.ts'
import { type Instrument, readInstrument } from './instrument.ts'
import type { PayableOrder } from './order.ts'

/** What became of asking for the money. Nothing of it is written yet. */
export interface Charge {
  readonly answer: Authorization
  readonly instrument: Instrument
  /** What the transaction becomes. */
  readonly columns: TransactionChanges
  /** True when the card pays and yet cannot be stored. */
  readonly storingFails: boolean
}

/**
 * Processes a transaction, new or known: a card is charged, a credit check reserves the amount of an invoice, and of the
 * other methods the payer is asked. Nothing is written here.
 * @throws errors.amount.* (specification: amount rules) and what `readInstrument` throws
 */
export async function charge(work: Work, order: PayableOrder, sent: SentCard): Promise<Charge> {
  const instrument = await readInstrument(work, order, sent)
  const amount = payableAmount(order.amount, order.currency, beginsByCard(order) ? 0 : 1)
  const { test, metadata, storeCard, paymentMethod } = order
  const { merchant, randomBytes, now } = work
  const liveCards = merchant.settings.live_cards
  const asked = { test, source: instrument.source, metadata, storeCard, liveCards, randomBytes }
  const answer = authorize(asked)
  const charged = {
    amount,
    // Of nothing there is nothing to reserve, and no capture could take it. Of an invoice the money comes later: capturing
    // it sends it (specification: States, credit check done).
    authorize: amount > 0 && (order.authorize || PAYMENT_METHODS[paymentMethod].answeredBy === 'credit check'),
    event: instrument.event,
  }
  return {
    answer,
    instrument,
    columns: { ...instrument.columns, ...columnsBy(answer, charged, now) },
    storingFails: storingFails(asked),
  }
}

/** A payment of nothing stores the card that a plan is charged to, after a free trial say (our decision). */
const beginsByCard = ({ planId, paymentMethod }: PayableOrder): boolean =>
  planId !== undefined && PAYMENT_METHODS[paymentMethod].answeredBy === 'bank'

/**
 * What the log tells of a charge.
 * @param form true when the payer sent it from the payment page or a form
 */
export function chargeHappening({ answer, instrument, columns }: Charge, form?: true): Happening {
  const { status = 'pending' } = columns
  if (answer.kind === 'challenge') return { event: 'challenged', status }
  const refused = answer.kind === 'declined' || answer.kind === 'failed'
  return {
    event: instrument.event,
    status,
    ...(form ? { form } : {}),
    ...(refused ? { error: entryByKey(answer.error).name } : {}),
  }
}
