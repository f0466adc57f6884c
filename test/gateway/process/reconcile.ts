import type { Refund } from '../../../mock-gateway/contract/wire.ts'
import type { TransactionOrError } from '../../helpers/gateway.ts'
import type { Ledger, Order } from './ledger.ts'
import { all, CAPTURED, type Listed, REFUNDED } from './load.ts'
import type { Receiver, Told } from './receiver.ts'

/** Data of a gateway. */
export interface Kept {
  readonly transactions: Listed<TransactionOrError>
  readonly refunds: Listed<Refund>
  /** Received webhooks, with each event once. */
  readonly told: readonly Told[]
}

/**
 * Reads all data of a gateway.
 * @param url address of the API
 */
export const readKept = async (url: string, receiver: Receiver): Promise<Kept> => ({
  told: [...receiver.told.values()],
  transactions: await all<TransactionOrError>(url, 'transactions'),
  refunds: await all<Refund>(url, 'refunds'),
})

/**
 * Rule for the data that must be true however the gateway ended.
 * @returns one sentence for each violation
 */
type Rule = (ledger: Ledger, kept: Kept) => readonly string[]

/** Rules by name. */
const RULES: Readonly<Record<string, Rule>> = {
  lost: ({ orders }, { transactions, refunds }) => {
    const byId = new Map(transactions.rows.map((row) => [row.id, row]))
    const refundsById = new Map(refunds.rows.map((row) => [row.id, row]))
    return [...orders.values()].flatMap((order) => {
      const { created, refund, payment_ref } = order
      if (!created) return []
      const row = byId.get(created.id)
      const given = refund?.id === undefined ? undefined : refundsById.get(refund.id)
      return [
        ...(row?.payment_ref === payment_ref
          ? []
          : [`${payment_ref} was answered as ${created.id}`]),
        ...(row && order.capture === undefined && row.status !== created.status
          ? [`${payment_ref} was answered as ${created.status} and is ${row.status}`]
          : []),
        ...(row && order.capture === 'answered' && !isCaptured(row)
          ? [`the capture of ${payment_ref}`]
          : []),
        ...(refund?.id !== undefined && given?.reason !== payment_ref
          ? [`the refund of ${payment_ref}`]
          : []),
      ]
    })
  },

  'half-written': (_ledger, { transactions, refunds }) =>
    transactions.rows.flatMap((row) => {
      const events = row.log_events.map(({ data }) => data.event)
      const given = refunds.rows.filter(({ transaction }) => transaction.id === row.id)
      const captured = events.includes('captured')
      const steps = [
        'created',
        'charged',
        ...(captured ? ['captured'] : []),
        ...given.map(() => 'refunded'),
      ]
      const isWhole =
        String(events) === String(steps) &&
        captured === isCaptured(row) &&
        row.captures.length === (captured ? 1 : 0) &&
        row.status === (row.authorize && !captured ? 'authorized' : 'approved') &&
        given.every(({ amount }) => amount === REFUNDED)
      return isWhole
        ? []
        : [
            `${row.payment_ref} is ${row.status} of ${row.amount} after ${events} with ${row.captures.length} captures`,
          ]
    }),

  phantom: ({ orders }, { transactions, refunds }) => {
    const seen = new Set<string>()
    const isAskedFor = (order: Order | undefined, row: TransactionOrError) =>
      order !== undefined &&
      order.authorize === row.authorize &&
      (order.created === undefined || order.created.id === row.id) &&
      (row.captures.length === 0 || order.capture !== undefined)
    return [
      ...transactions.rows.filter(({ payment_ref }) => seen.size === seen.add(payment_ref).size),
      ...transactions.rows.filter((row) => !isAskedFor(orders.get(row.payment_ref), row)),
      ...refunds.rows.filter(({ reason }) => seen.size === seen.add(`refund of ${reason}`).size),
      ...refunds.rows.filter(({ reason }) => orders.get(reason)?.refund === undefined),
    ].map((row) => JSON.stringify(row).slice(0, 200))
  },

  /** Each payment and each capture has one webhook, and there are no other webhooks. */
  mistold: ({ orders }, { transactions, told }) => {
    const ids = new Map(transactions.rows.map((row) => [row.payment_ref, row.id]))
    const times = new Map<number, number>()
    for (const { id } of told) times.set(id, (times.get(id) ?? 0) + 1)
    return [
      ...[...orders.values()].flatMap(({ payment_ref, created, capture }) => {
        const heard = times.get(created?.id ?? 0) ?? 0
        const least = capture === 'answered' ? 2 : 1
        return !created || heard >= least
          ? []
          : [`of ${payment_ref} came ${heard} webhooks instead of ${least}`]
      }),
      ...told
        .filter(({ id, payment_ref }) => ids.get(payment_ref) !== id)
        .map(
          ({ id, payment_ref }) => `a webhook came of ${payment_ref} as ${id}, which there is not`,
        ),
    ]
  },

  miscounted: (_ledger, kept) =>
    (['transactions', 'refunds'] as const)
      .filter((kind) => kept[kind].total !== kept[kind].rows.length)
      .map(
        (kind) => `${kept[kind].rows.length} ${kind}, of which the list says ${kept[kind].total}`,
      ),
}

const isCaptured = ({ status, amount, captures }: TransactionOrError): boolean =>
  status === 'approved' && amount === CAPTURED && captures[0]?.amount === CAPTURED

/**
 * Compares the gateway's data with its clients' requests and answers.
 * @returns differences by rule
 */
export const reconcile = (ledger: Ledger, kept: Kept): string[] =>
  Object.entries(RULES).flatMap(([name, rule]) =>
    rule(ledger, kept).map((problem) => `${name}: ${problem}`),
  )
