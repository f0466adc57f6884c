import { setImmediate } from 'node:timers/promises'
import type { Changes } from '../domain/changes.ts'
import type { Counts } from '../domain/counts.ts'
import type { Logger } from '../domain/logger.ts'
import type { Due, DueKind, DueScope, Outcome } from '../scheduler/due.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import { unavailability } from '../storage/unavailable.ts'
import { ownerOfHost } from '../storage/webhook-deliveries.ts'
import type { Dispatch } from '../storage/work.ts'
import { attemptLine } from './attempt-line.ts'
import { type CallLimits, createCallLimits } from './call-limits.ts'
import { chosenDue } from './chosen-due.ts'
import { resultKeeper } from './keep-results.ts'
import { createLeases, type LeaseDependencies, type Leases } from './leases.ts'
import { type Called, sendOnce, type Transport } from './transport.ts'

/** What sending is made of. */
export interface DeliveryDependencies extends LeaseDependencies {
  /** Epoch milliseconds by a merchant's clock. */
  readonly momentOf: (merchantId: number) => number
  /** Whether a merchant's clock is being moved: everything is done in its order then. */
  readonly isMoving: (merchantId: number) => boolean
  /** By type of webhook; what has none waits. */
  readonly transports: Readonly<Record<string, Transport>>
  readonly logger: Logger
  /** Attempts, by type and outcome. */
  readonly attempts: Counts
  /** Who looks on is told of each attempt. */
  readonly changes: Changes
}

/** Tells that something is known to be due. @returns what begins it when its turn has come */
type Foresee = () => (due: Due) => void

/** Sends what falls due. */
export interface Deliveries {
  readonly due: DueKind
  /** Sends what is just being written. */
  dispatch(foresee: Foresee): Dispatch
  /** Begins no more, and lets what is being sent end for a while; what has not ended then is given back. */
  drain(): Promise<void>
}

/** Sends deliveries: what it works with, and what it is at. */
interface Sender extends DeliveryDependencies {
  readonly limits: CallLimits
  readonly leases: Leases
  readonly keep: ReturnType<typeof resultKeeper>
  readonly running: Set<Promise<unknown>>
  readonly written: Map<number, Written>
  /** Whom those are for that were found. */
  readonly hostOf: WeakMap<Due, string>
  /** Aborted when what is still being sent is cut off. */
  readonly ending: AbortController
  draining: boolean
}

/** One that was written with its lease, and begins after it has stood in line. */
interface Written extends Pick<Called, 'delivery' | 'merchant'> {
  readonly isTurn: boolean
  readonly since: number
}

/** Deliveries being sent at a time. */
const AT_ONCE = 512

/** Milliseconds that what is being sent has at the end of the gateway. */
const DRAIN_MS = 8_000

/** Sends deliveries as they fall due, each at least once (specification: Delivery rules). */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const leases = createLeases(dependencies)
  const sender: Sender = {
    ...dependencies,
    limits: createCallLimits(),
    leases,
    keep: resultKeeper({ ...dependencies, leases, isDraining: () => sender.draining }),
    running: new Set(),
    written: new Map(),
    hostOf: new WeakMap(),
    ending: new AbortController(),
    draining: false,
  }
  return {
    due: {
      kind: 'webhook',
      atOnce: AT_ONCE,
      first: (queries, scope, limit) => first(sender, queries, scope, limit),
      run: (due) => run(sender, due),
      begun: (isOf) => sender.limits.passed((host) => isOf(Number(ownerOfHost(host)))),
    },
    dispatch: (foresee) => dispatchOf(sender, foresee),
    drain: () => drain(sender),
  }
}

async function first(sender: Sender, queries: Queries, scope: DueScope, limit: number): Promise<readonly Due[]> {
  const { draining, transports, machine, limits, leases, hostOf } = sender
  const types = Object.keys(transports)
  if (draining || types.length === 0) return []
  const chosen = await chosenDue(queries, { scope, types, machineNow: machine(), limit }, limits, leases.taken)
  return chosen.map(({ id, merchant_id, due_at, host }) => {
    const due = { at: due_at ?? scope.until, merchantId: merchant_id, id }
    hostOf.set(due, host)
    return due
  })
}

function run(sender: Sender, due: Due): Promise<Outcome | undefined> {
  const { limits, leases, running, written, hostOf } = sender
  const ready = written.get(due.id)
  written.delete(due.id)
  const host = ready?.delivery.host ?? hostOf.get(due) ?? ''
  if (!ready) limits.taken(host)
  const done = attempt(sender, due, ready).finally(() => {
    limits.done(host)
    leases.taken.delete(due.id)
    running.delete(done)
  })
  running.add(done)
  return done
}

const dispatchOf = (sender: Sender, foresee: Foresee): Dispatch => ({
  lease({ type, host, merchant_id, due_at }) {
    const { draining, transports, isMoving, momentOf, limits, leases } = sender
    if (draining || !transports[type] || host === '' || isMoving(merchant_id)) return undefined
    const isDue = (due_at ?? Number.POSITIVE_INFINITY) <= momentOf(merchant_id)
    return isDue && limits.admits(host) ? leases.fresh() : undefined
  },
  send(deliveries, merchant) {
    const { limits, leases, written } = sender
    const since = performance.now()
    const begin = foresee()
    for (const delivery of deliveries) {
      const { id, host, merchant_id, due_at } = delivery
      leases.taken.set(id, delivery.lease_until ?? 0)
      limits.taken(host)
      limits.line(host, (isTurn) => {
        written.set(id, { delivery, merchant, isTurn, since })
        begin({ at: due_at ?? 0, merchantId: merchant_id, id })
      })
    }
  },
})

async function attempt(sender: Sender, due: Due, ready?: Written): Promise<Outcome | undefined> {
  const { leases, transports, limits, machine, ending, keep } = sender
  const { delivery, merchant } = ready ?? (await leases.take(due).catch(soonAgain)) ?? {}
  const send = delivery && transports[delivery.type]
  if (!delivery || !send || !merchant) return undefined
  const { host } = delivery
  const since = ready?.since ?? performance.now()
  const isTurn = ready?.isTurn ?? (await new Promise<boolean>((turn) => limits.line(host, turn)))
  if (!isTurn) return leases.giveBack(delivery)
  const called = await limits.call(host, () => sendOnce(send, { delivery, merchant }, machine, ending.signal))
  // Cut off by the end of the gateway: nobody knows what the target made of it, so it is sent again.
  if (ending.signal.aborted && called.sent.reply.code === null) return leases.giveBack(delivery)
  const kept = await keep(called)
  sender.attempts.add({ type: delivery.type, outcome: called.sent.outcome }, (performance.now() - since) / 1000)
  sender.logger.info({ merchant_id: merchant.id, webhook: attemptLine(called, kept?.dueAt) })
  tellOf(sender, delivery)
  return kept?.outcome
}

function tellOf({ changes }: Sender, { merchant_id: merchantId, id, transaction_id }: WebhookDeliveryRow): void {
  changes.publish({ merchantId, topic: 'webhooks', id })
  if (transaction_id !== null) changes.publish({ merchantId, topic: 'transactions', id: transaction_id })
}

async function drain(sender: Sender): Promise<void> {
  sender.draining = true
  sender.limits.close()
  // Those who stood in line have begun by then, to be given back.
  await setImmediate()
  const impatient = setTimeout(() => sender.ending.abort(), DRAIN_MS)
  await Promise.allSettled(sender.running)
  clearTimeout(impatient)
  sender.leases.end()
}

/** A database that is away for a while is asked again soon. @throws every other error */
function soonAgain(error: unknown): undefined {
  if (unavailability(error) === undefined) throw error
}
