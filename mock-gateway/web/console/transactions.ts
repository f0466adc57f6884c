import type { LogEvent, Transaction } from '../../contract/wire.ts'
import { amountIn, formatAmount, type Hundredths } from '../../domain/money/money.ts'
import { leftToRefund } from '../../domain/order/left-to-refund.ts'
import { STATES } from '../../domain/order/states.ts'
import { readCaptureTransaction } from '../../parsing/capture-transaction.ts'
import { readCreateRefund } from '../../parsing/create-refund.ts'
import { captureTransaction } from '../../payments/capture.ts'
import { refundTransaction } from '../../payments/refund.ts'
import { workOf } from '../http/exchange.ts'
import { money, plain, status, time } from './cells.ts'
import { deliveriesOf } from './deliveries.ts'
import { factsOf, objectOf } from './details.ts'
import { orAgain, type Problem } from './refused-form.ts'
import type { Wire } from './resources.ts'
import { withTypedAmount } from './typed-amount.ts'
import { type Act, idOf, type MerchantVisit, type Page, textsOf, type View } from './visit.ts'

/** What one transaction has come to, why, and what can be done. */
export const TRANSACTION_PAGES: readonly Page<MerchantVisit>[] = [
  { path: '/transactions/:id', section: 'transactions', show: (visit) => show(visit) },
]

export const TRANSACTION_ACTS: readonly Act<MerchantVisit>[] = [
  {
    path: '/transactions/:id/capture',
    section: 'transactions',
    act: (visit) =>
      orAgain(
        visit,
        async () => {
          const command = readCaptureTransaction(idOf(visit), withTypedAmount(visit.parameters))
          const { row } = await captureTransaction(workOf(visit.response), command)
          const done = row.status === 'approved' ? 'captured' : 'capture_sent'
          return { to: `/transactions/${visit.named.id}`, done }
        },
        (problem) => show(visit, { form: 'capture', problem }),
      ),
  },
  {
    path: '/transactions/:id/refund',
    section: 'transactions',
    act: (visit) =>
      orAgain(
        visit,
        async () => {
          const sent = { ...withTypedAmount(visit.parameters), transaction_id: visit.named.id ?? '' }
          await refundTransaction(workOf(visit.response), readCreateRefund(sent))
          return { to: `/transactions/${visit.named.id}`, done: 'refunded' }
        },
        (problem) => show(visit, { form: 'refund', problem }),
      ),
  },
]

/** Fields that the page shows in a way of its own. */
const SHOWN_APART: readonly string[] = ['log_events', 'refunds', 'refunds_all', 'captures', 'webhooks', 'error']

/** A form of the page that was refused; it keeps what was typed. */
interface Refused {
  readonly form: 'capture' | 'refund'
  readonly problem: Problem
}

async function show(visit: MerchantVisit, refused: Refused | null = null): Promise<View> {
  const object = await objectOf(visit, 'transactions')
  const { home } = visit
  const transaction = object as unknown as Transaction
  const { id, amount, currency, payment_ref, error, refunds, captures, log_events } = transaction
  const facts = factsOf(object, home).filter(({ name }) => !SHOWN_APART.includes(name))
  const left = leftOf(transaction)
  const { capturable, refundable } = STATES[transaction.status]
  const isShort = (fact: (typeof facts)[number]) => !fact.code
  return {
    view: 'transaction',
    live: [`transactions/${id}`],
    title: `Transaction ${id}`,
    data: {
      amount: money(amount, currency).text,
      status: status(transaction.status),
      payment_ref,
      error,
      href: transaction.status === 'pending' ? transaction.href : null,
      facts: facts.filter(isShort),
      objects: facts.filter((fact) => !isShort(fact)),
      moves: {
        heads: ['What', 'When', 'Amount', 'Reason'],
        rows: [
          ...captures.map((capture) => [
            plain('Capture'),
            time(capture.created_at),
            money(capture.amount, currency),
            plain(''),
          ]),
          ...refunds.map((refund) => [
            plain('Refund'),
            time(refund.created_at),
            money(refund.amount, currency),
            plain(refund.reason),
          ]),
        ],
      },
      story: `${home}/transactions/${id}/story`,
      history: log_events.map(historyOf),
      deliveries: await deliveriesOf(visit, id),
      capture: capturable && refunds.length === 0 ? `${home}/transactions/${id}/capture` : null,
      refund: refundable && left > 0 ? `${home}/transactions/${id}/refund` : null,
      left: formatAmount(left),
      refused: refused ?? { form: null },
      written: textsOf(refused ? visit.parameters : {}, ['amount', 'reason']),
      json: JSON.stringify(object as Wire, null, 2),
    },
  }
}

/** What happened, and, in words of the log, what belongs to it. */
function historyOf({ created_at, event_type, data }: LogEvent) {
  const { event, ...facts } = data
  return {
    when: time(created_at).text,
    what: typeof event === 'string' ? event.replaceAll('_', ' ') : event_type,
    facts: Object.entries(facts).map(([name, value]) => ({
      name,
      text: typeof value === 'string' ? value : JSON.stringify(value),
    })),
  }
}

/** What can still be captured or refunded, which a form proposes. */
const leftOf = ({ amount, refunds }: Transaction): Hundredths =>
  leftToRefund(
    amountIn(amount) ?? null,
    refunds.flatMap((refund) => amountIn(refund.amount) ?? []),
  )
