import pLimit, { type LimitFunction } from 'p-limit'
import type { Ambient, Logger } from '../domain/ambient.ts'
import type { Changes } from '../domain/changes.ts'
import type { Counts } from '../domain/counts.ts'
import type { Merchant } from '../domain/merchant.ts'
import { performance, timers } from '../domain/timers.ts'
import type { ClockTime, DueResult } from '../scheduler/due.ts'
import type { Database } from '../storage/database.ts'
import type { DueItem } from '../storage/due.ts'
import { claimDeliveries, endLeases, findDueHosts, renewLeases } from '../storage/due-deliveries.ts'
import type { FullDelivery } from '../storage/tables/webhook-deliveries.ts'
import { withBodies } from '../storage/webhook-deliveries.ts'
import { attemptLine } from './attempt-line.ts'
import { createResultRecorder } from './record-results.ts'
import { type DeliveryCall, sendOnce, type Transport } from './transport.ts'

interface DeliveryDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Returns epoch milliseconds of the machine, for leases and signatures. */
  readonly machine: () => number
  readonly findMerchant: (id: number) => Promise<Merchant | undefined>
  /** Returns epoch milliseconds by a merchant's clock. */
  readonly getMoment: (merchantId: number) => number
  /** Transports by type of webhook; empty if nothing is sent, and deliveries wait. */
  readonly transports: Readonly<Record<string, Transport>>
  readonly logger: Logger
  /** Counts attempts by type and outcome. */
  readonly attempts: Counts
  /** Publishes each attempt for live updates. */
  readonly changes: Changes
}

/** Sends due deliveries. */
interface Deliveries {
  /** Claims due deliveries, and starts to send them. */
  claimDue(getTime: ClockTime): Promise<readonly DueItem[]>
  /** Sends a due delivery, or waits for its result if it is claimed already. */
  run(due: DueItem): Promise<DueResult | undefined>
  /** False if nothing is sent: deliveries wait. */
  isSending(): boolean
  /**
   * Starts no more deliveries, and waits a while for running ones; the rest are returned to the
   * queue.
   */
  drain(): Promise<void>
}

/** A delivery that this gateway has leased and is sending. */
interface ClaimedDelivery {
  readonly delivery: FullDelivery
  /** Undefined: it was not sent. */
  readonly done: Promise<DueResult | undefined>
}

/**
 * Maximum concurrent calls of a merchant to one host, so that a slow shop does not delay the
 * webhooks of others.
 */
const PER_HOST = 4

/** Deliveries of a host that are claimed at the same time: the next ones wait for their turn. */
const CLAIMED_PER_HOST = 32

/** Maximum number of claimed deliveries. A merchant with many slow hosts leaves room for others. */
const CLAIMED = 512

/** Milliseconds of a lease: the deliveries of a crashed process are free after it. */
const LEASE_MS = 15_000

/** Milliseconds between renewals, while a delivery waits for its turn and during its call. */
const RENEW_MS = 5_000

/** Milliseconds for running deliveries when the gateway closes. */
const DRAIN_MS = 8_000

/** Sends deliveries when they are due, each at least once (specification: Delivery rules). */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const { database, machine, getMoment, transports, findMerchant } = dependencies
  const owner = Buffer.from(dependencies.randomBytes(12)).toString('hex')
  const ending = new AbortController()
  /** The deliveries that this gateway has leased, by id. */
  const claimed = new Map<number, ClaimedDelivery>()
  /** Claims under way: closing waits for them, and ends their leases. */
  const claims = new Set<Promise<unknown>>()
  /** The calls of each host. */
  const turns = new Map<string, LimitFunction>()
  let isDraining = Object.keys(transports).length === 0
  const keep = createResultRecorder({
    database,
    getMoment,
    owner,
    isDraining: () => isDraining,
    within: LEASE_MS,
  })
  const lease = () => ({ owner, machineNow: machine(), leaseUntil: machine() + LEASE_MS })

  const renewing = timers
    .setInterval(() => {
      const ids = [...claimed.keys()]
      // If the database is unavailable for long, another process may lease them.
      if (ids.length > 0)
        database.writeUnflushed((queries) => renewLeases(queries, ids, lease())).catch(() => {})
    }, RENEW_MS)
    .unref()

  /** Claims due deliveries of one merchant, and starts to send them. */
  async function claim(
    choice: Pick<Parameters<typeof claimDeliveries>[1], 'until' | 'id' | 'host'>,
    limit: number,
  ): Promise<readonly FullDelivery[]> {
    if (isDraining) return []
    const claiming = claimNow({ ...choice, ...lease(), limit })
    claims.add(claiming)
    return claiming.finally(() => claims.delete(claiming))
  }

  async function claimNow(choice: Parameters<typeof claimDeliveries>[1]) {
    const rows = await database.writeUnflushed(async (queries) =>
      withBodies(queries, await claimDeliveries(queries, choice)),
    )
    // A lease that could not be renewed has ended, but its call has not.
    const fresh = rows.filter(({ id }) => !claimed.has(id)).sort((one, two) => one.id - two.id)
    const merchant = fresh[0] && (await findMerchant(fresh[0].merchant_id))
    if (!merchant) return []
    for (const delivery of fresh) {
      const done = attempt(delivery, merchant)
      done.catch(() => {})
      claimed.set(delivery.id, { delivery, done })
    }
    return fresh
  }

  /**
   * Claims due deliveries, the earliest hosts first. A host that is called as often as allowed is
   * skipped until half of its claimed deliveries are done, so that one statement claims many.
   */
  async function claimDue(getTime: ClockTime): Promise<readonly DueItem[]> {
    if (isDraining) return []
    const hosts = await findDueHosts(database.db, { machineNow: machine() })
    const due: DueItem[] = []
    for (const { host, dueAt } of hosts.sort((one, two) => (one.dueAt ?? 0) - (two.dueAt ?? 0))) {
      // A host key starts with the id of its merchant.
      const merchantId = Number.parseInt(host, 10)
      const until = dueAt === null ? undefined : getTime(merchantId)
      if (until === undefined || dueAt === null || dueAt > until) continue
      const all = [...claimed.values()].map(({ delivery }) => delivery)
      const ofHost = all.filter((delivery) => delivery.host === host).length
      const ofMerchant = all.filter(({ merchant_id }) => merchant_id === merchantId).length
      const room = Math.min(CLAIMED_PER_HOST - ofHost, CLAIMED - all.length - ofMerchant)
      if (room <= 0 || ofHost > CLAIMED_PER_HOST / 2) continue
      try {
        for (const { id, due_at } of await claim({ until, host }, room))
          due.push({ kind: 'webhook', at: due_at ?? 0, merchantId, id })
      } catch (error) {
        // The deliveries of other hosts are claimed already, so they are sent.
        if (due.length > 0) return due
        throw error
      }
    }
    return due
  }

  async function run({ id, at }: DueItem): Promise<DueResult | undefined> {
    if (!claimed.has(id)) await claim({ until: at, id }, 1)
    // A claim that began before this one may have it, and not have registered it.
    if (!claimed.has(id)) await Promise.allSettled(claims)
    return claimed.get(id)?.done
  }

  async function attempt(
    delivery: FullDelivery,
    merchant: Merchant,
  ): Promise<DueResult | undefined> {
    const since = performance.now()
    const turn = turns.get(delivery.host) ?? pLimit(PER_HOST)
    turns.set(delivery.host, turn)
    try {
      const called = await turn(async () => {
        const send = transports[delivery.type]
        if (isDraining || !send) return undefined
        return sendOnce(send, { delivery, merchant }, machine, ending.signal)
      })
      // Cancelled when the gateway closed: the result is unknown, so it is sent again.
      if (!called || (ending.signal.aborted && called.sent.reply.code === null)) return undefined
      const kept = await keep(called)
      report(dependencies, called, kept?.dueAt, performance.now() - since)
      return kept?.outcome
    } finally {
      if (!isDraining) claimed.delete(delivery.id)
      if (turn.activeCount + turn.pendingCount === 0) turns.delete(delivery.host)
    }
  }

  async function drain(): Promise<void> {
    isDraining = true
    const impatient = timers.setTimeout(() => ending.abort(), DRAIN_MS)
    await Promise.allSettled(claims)
    await Promise.allSettled([...claimed.values()].map(({ done }) => done))
    timers.clearTimeout(impatient)
    timers.clearInterval(renewing)
    const unsent = [...claimed.keys()]
    claimed.clear()
    if (unsent.length > 0)
      await database.writeUnflushed((queries) => endLeases(queries, unsent, owner, {}))
  }

  return { claimDue, run, isSending: () => !isDraining, drain }
}

/** Reports an attempt to the log, the metrics and open pages. */
function report(
  { attempts, logger, changes }: DeliveryDependencies,
  called: DeliveryCall,
  dueAt: number | null | undefined,
  milliseconds: number,
) {
  const { id, merchant_id: merchantId, type, transaction_id } = called.delivery
  attempts.add({ type, outcome: called.sent.outcome }, milliseconds / 1000)
  logger.info({ merchant_id: merchantId, webhook: attemptLine(called, dueAt) })
  changes.publish({ merchantId, topic: 'webhooks', id })
  if (transaction_id !== null)
    changes.publish({ merchantId, topic: 'transactions', id: transaction_id })
}
