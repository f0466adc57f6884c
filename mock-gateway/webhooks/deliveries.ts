import type { Changes } from '../domain/changes.ts'
import type { Counts } from '../domain/counts.ts'
import type { Logger } from '../domain/logger.ts'
import { performance, timers } from '../domain/timers.ts'
import type { DueItem, DueKind, DueResult, DueScope } from '../scheduler/due.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import { unavailability } from '../storage/unavailable.ts'
import {
  type DeliveriesDue,
  type DueDelivery,
  findDueDeliveries,
  hostsOfPending,
  ownerOfHost,
} from '../storage/webhook-deliveries.ts'
import { attemptLine } from './attempt-line.ts'
import { type CallLimits, createCallLimits } from './call-limits.ts'
import { createLeases, type LeaseDependencies, type Leases } from './leases.ts'
import { createResultRecorder } from './record-results.ts'
import { sendOnce, type Transport } from './transport.ts'

interface DeliveryDependencies extends LeaseDependencies {
  /** Returns epoch milliseconds by a merchant's clock. */
  readonly momentOf: (merchantId: number) => number
  /** Returns true while the merchant's clock is moved: its webhooks are sent one after the other. */
  readonly isMoving: (merchantId: number) => boolean
  /** Transports by type of webhook; deliveries of other types wait. */
  readonly transports: Readonly<Record<string, Transport>>
  readonly logger: Logger
  /** Counts attempts by type and outcome. */
  readonly attempts: Counts
  /** Publishes each attempt for live updates. */
  readonly changes: Changes
}

/** Sends due deliveries. */
interface Deliveries {
  readonly due: DueKind<DueWebhook>
  /**
   * Starts no more deliveries, and waits a while for running ones; the rest are returned to the
   * queue.
   */
  drain(): Promise<void>
}

/** Dependencies and state of sending. */
interface DeliverySender extends DeliveryDependencies {
  readonly limits: CallLimits
  readonly leases: Leases
  readonly keep: ReturnType<typeof createResultRecorder>
  readonly running: Set<Promise<unknown>>
  /** Aborted to cancel running calls. */
  readonly ending: AbortController
  draining: boolean
}

/** A due delivery, and its host. */
export interface DueWebhook extends DueItem {
  readonly host: string
}

/** Maximum number of deliveries sent at the same time. */
const AT_ONCE = 512

/** Milliseconds for running deliveries when the gateway closes. */
const DRAIN_MS = 8_000

/** Sends deliveries when they are due, each at least once (specification: Delivery rules). */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const leases = createLeases(dependencies)
  const sender: DeliverySender = {
    ...dependencies,
    limits: createCallLimits(),
    leases,
    keep: createResultRecorder({ ...dependencies, leases, isDraining: () => sender.draining }),
    running: new Set(),
    ending: new AbortController(),
    draining: false,
  }
  return {
    due: {
      kind: 'webhook',
      atOnce: AT_ONCE,
      first: (queries, scope, limit) => findDue(sender, queries, scope, limit),
      firstTogether: (queries, scope) => findFirstEvent(sender, queries, scope),
      run: (due) => run(sender, due),
    },
    drain: () => drain(sender),
  }
}

async function findDue(
  sender: DeliverySender,
  queries: Queries,
  scope: DueScope,
  limit: number,
): Promise<readonly DueWebhook[]> {
  const { draining, transports, machine, limits, leases } = sender
  const types = Object.keys(transports)
  if (draining || types.length === 0) return []
  const chosen = await chooseDueDeliveries(
    queries,
    { scope, types, machineNow: machine(), limit },
    limits,
    leases.taken,
  )
  return chosen.map((delivery) => dueOf(delivery, scope))
}

/** Number of an event's deliveries that are found together; most events have one to four. */
const OF_EVENT = 4

/**
 * Finds the first due delivery, and further ones of its event to its host. They are leased together,
 * called one after the other, and their results are stored together.
 */
async function findFirstEvent(
  { draining, transports, machine }: DeliverySender,
  queries: Queries,
  scope: DueScope,
): Promise<readonly DueWebhook[]> {
  const types = Object.keys(transports)
  if (draining || types.length === 0) return []
  const limit = OF_EVENT
  const found = await findDueDeliveries(queries, { scope, types, machineNow: machine(), limit })
  const [first] = found
  const isTogether = (each: DueDelivery) =>
    each === first ||
    (each.host !== '' &&
      (['due_at', 'event_id', 'host'] as const).every((name) => each[name] === first?.[name]))
  return found.filter(isTogether).map((delivery) => dueOf(delivery, scope))
}

const dueOf = (
  { id, merchant_id, due_at, host }: DueDelivery,
  { until }: DueScope,
): DueWebhook => ({
  at: due_at ?? until,
  merchantId: merchant_id,
  id,
  host,
})

function run(sender: DeliverySender, due: DueWebhook): Promise<DueResult | undefined> {
  const { limits, leases, running } = sender
  limits.markTaken(due.host)
  const done = attempt(sender, due).finally(() => {
    limits.markDone(due.host)
    leases.taken.delete(due.id)
    running.delete(done)
  })
  running.add(done)
  return done
}

async function attempt(sender: DeliverySender, due: DueItem): Promise<DueResult | undefined> {
  const { leases, transports, limits, machine, ending, keep } = sender
  const { delivery, merchant } = (await leases.take(due).catch(retryIfUnavailable)) ?? {}
  const send = delivery && transports[delivery.type]
  if (!delivery || !send || !merchant) return undefined
  const { host } = delivery
  const since = performance.now()
  const isAlone = sender.isMoving(due.merchantId)
  const isTurn = await new Promise<boolean>((turn) => limits.enqueue(host, turn, isAlone))
  if (!isTurn) return leases.giveBack(delivery)
  const called = await limits.call(host, () =>
    sendOnce(send, { delivery, merchant }, machine, ending.signal),
  )
  // Cancelled when the gateway closed: the result is unknown, so it is sent again.
  if (ending.signal.aborted && called.sent.reply.code === null) return leases.giveBack(delivery)
  const kept = await keep(called)
  sender.attempts.add(
    { type: delivery.type, outcome: called.sent.outcome },
    (performance.now() - since) / 1000,
  )
  sender.logger.info({ merchant_id: merchant.id, webhook: attemptLine(called, kept?.dueAt) })
  tellOf(sender, delivery)
  return kept?.outcome
}

function tellOf(
  { changes }: DeliverySender,
  { merchant_id: merchantId, id, transaction_id }: WebhookDeliveryRow,
): void {
  changes.publish({ merchantId, topic: 'webhooks', id })
  if (transaction_id !== null)
    changes.publish({ merchantId, topic: 'transactions', id: transaction_id })
}

async function drain(sender: DeliverySender): Promise<void> {
  sender.draining = true
  sender.limits.close()
  // Waiting deliveries have started by then, and are returned too.
  await timers.nextTurn()
  const impatient = timers.setTimeout(() => sender.ending.abort(), DRAIN_MS)
  await Promise.allSettled(sender.running)
  timers.clearTimeout(impatient)
  sender.leases.end()
}

/** Retries soon if the database is unavailable. @throws every other error */
function retryIfUnavailable(error: unknown): undefined {
  if (unavailability(error) === undefined) throw error
}

/**
 * Chooses the earliest due deliveries, within the limit of each host, and for each merchant at most
 * as many as leave room for others: a merchant with many slow receivers gets at most half of the
 * places. If a few hosts have many deliveries, those of other hosts are queried by host, so that
 * they are always found. A limit of 1 returns the first delivery in any case: a moved clock sends
 * one after the other.
 * @param taken leased deliveries, which are only found after their lease has ended
 */
async function chooseDueDeliveries(
  queries: Queries,
  { scope, ...due }: DeliveriesDue,
  limits: CallLimits,
  taken: ReadonlyMap<number, number>,
) {
  const { without = [], ...rest } = scope
  const room = (host: string) => (due.limit === 1 ? 1 : limits.room(host))
  const hosts = due.limit === 1 ? undefined : await hostsOfPending(queries)
  const wanted = hosts ? Math.min(due.limit, sum(hosts.map(room))) : 1
  if (wanted <= 0) return []
  // Excluded here instead of in the query, so that its text is always the same.
  const left = new Set(without)
  const unleased = without.filter((id) => !taken.has(id)).length
  const find = async (limit: number, host?: string) =>
    findDueDeliveries(queries, { ...due, scope: rest, host, limit: limit + unleased })
  const counts = new Map<string, number>()
  const chosen = new Map<number, DueDelivery>()
  const countOf = (key: string) => counts.get(key) ?? 0
  const beside = (host: string) =>
    due.limit === 1
      ? 1
      : due.limit - chosen.size - limits.countTakenOfMerchant(host) - countOf(ownerOfHost(host))
  const roomOf = (host: string) => Math.min(room(host) - countOf(host), beside(host))
  const choose = (found: readonly DueDelivery[]) => {
    for (const delivery of found) {
      const { id, host } = delivery
      if (
        chosen.size >= wanted ||
        left.has(id) ||
        taken.has(id) ||
        chosen.has(id) ||
        roomOf(host) <= 0
      )
        continue
      chosen.set(id, delivery)
      for (const key of new Set([host, ownerOfHost(host)])) counts.set(key, countOf(key) + 1)
    }
  }
  const found = await find(wanted)
  choose(found)
  // All due deliveries were seen, or there is no more room.
  if (found.length < wanted || chosen.size === wanted) return [...chosen.values()]
  for (const host of hosts ?? (await hostsOfPending(queries))) {
    const more = Math.min(roomOf(host), wanted - chosen.size)
    if (more <= 0) continue
    choose(await find(more, host))
  }
  return [...chosen.values()]
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0)
