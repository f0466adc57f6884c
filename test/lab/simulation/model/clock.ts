import type { Row, Store } from '../runs/data.ts'
import { iso } from './stored.ts'

/** Report of a clock move. */
export interface ClockSaid {
  /** Time before the move, in ISO 8601. */
  readonly from: string
  readonly now: string
  readonly quiet: boolean
  /** Next due work of every kind. */
  readonly next: readonly { readonly kind: string; readonly at: string }[]
  readonly happened: readonly {
    readonly kind: string
    readonly id: number
    readonly transaction_id?: number | null
  }[]
}

/** State before a clock was moved. */
export interface ClockBefore {
  /** Active subscriptions that follow the clock. */
  readonly subscriptions: readonly number[]
  /** Id of the newest charge. */
  readonly lastCharge: number
}

/**
 * Returns the SQL condition for subscriptions that follow a clock.
 * @param merchantId undefined: the common clock, for merchants without their own clock
 */
const whose = (merchantId: number | undefined): string =>
  merchantId === undefined
    ? 's.merchant_id not in (select merchant_id from clocks)'
    : `s.merchant_id = ${merchantId}`

export function beforeClock(store: Store, merchantId: number | undefined): ClockBefore {
  const subscriptions = store.rows(
    `select s.id from subscriptions s where s.status = 'active' and ${whose(merchantId)}`,
  )
  const [last] = store.rows('select coalesce(max(id), 0) as id from subscription_charges')
  return { subscriptions: subscriptions.map(({ id }) => Number(id)), lastCharge: Number(last?.id) }
}

/**
 * Milliseconds until the other gateways notice that a clock is being moved: they check once per
 * second, and a check can be delayed.
 */
const NEWS_MS = 2_000

/**
 * Checks that a clock move with the answer `quiet` has run all due work, and that its report lists
 * that work.
 * @param isShared true if other gateways make charges themselves until they notice the move
 */
export function holdClock(
  store: Store,
  fail: (rule: string, message: string) => never,
  { subscriptions, lastCharge }: ClockBefore,
  { from, now, quiet, happened }: ClockSaid,
  isShared: boolean,
): void {
  if (!quiet || subscriptions.length === 0) return
  const [start, end] = [Date.parse(from) + (isShared ? NEWS_MS : 0), Date.parse(now)]
  const among = `in (${subscriptions.join()})`
  const due = (rows: readonly Row[]) =>
    rows.map(({ id, next_at }) => `${id} at ${iso(next_at)}`).join(', ')
  const left = store.rows(
    `select id, next_at from subscriptions where id ${among} and status = 'active' and next_at <= ${end}`,
  )
  if (left.length > 0)
    fail('clock', `A clock at ${now} says that all is quiet, and has yet to charge ${due(left)}`)
  const told = new Set(
    happened.filter(({ kind }) => kind === 'charge').map(({ transaction_id }) => transaction_id),
  )
  const made =
    store.rows(`select transaction_id as id, created_at as next_at from subscription_charges
    where id > ${lastCharge} and subscription_id ${among} and transaction_id is not null
      and created_at > ${start} and created_at <= ${end}`)
  const untold = made.filter(({ id }) => !told.has(Number(id)))
  if (untold.length > 0)
    fail('clock', `The report of a clock at ${now} leaves out the charges ${due(untold)}`)
}
