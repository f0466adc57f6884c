import pLimit, { type LimitFunction } from 'p-limit'
import type { Ambient, Logger } from '../domain/ambient.ts'
import type { Changes } from '../domain/changes.ts'
import type { Counts } from '../domain/counts.ts'
import type { Merchant } from '../domain/merchant.ts'
import { performance, timers } from '../domain/timers.ts'
import type { ClockTime, DueItem, DueKind, DueResult } from '../scheduler/due.ts'
import type { Database } from '../storage/database.ts'
import {
  claimDeliveries,
  type DueDelivery,
  endLeases,
  findDueDeliveries,
  findDueHosts,
  renewLeases,
} from '../storage/due-deliveries.ts'
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
  readonly due: DueKind<DueWebhook>
  /**
   * Starts no more deliveries, and waits a while for running ones; the rest are returned to the
   * queue.
   */
  drain(): Promise<void>
}

/** A due delivery; with `claimed`, this gateway has leased it. */
interface DueWebhook extends DueItem {
  readonly eventId?: string
  readonly host?: string
  readonly claimed?: ClaimedDelivery
}

interface ClaimedDelivery {
  readonly delivery: FullDelivery
  readonly merchant: Merchant
  /** Runs the call when it is its turn. */
  readonly turn: LimitFunction
  /** Its result, for everybody who waits for it; undefined if it was not sent. */
  readonly done: PromiseWithResolvers<DueResult | undefined>
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

/** Number of an event's deliveries that are claimed together; most events have one to four. */
const OF_EVENT = 4

/** Sends deliveries when they are due, each at least once (specification: Delivery rules). */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const { database, machine, getMoment, transports, findMerchant } = dependencies
  const { logger, attempts, changes } = dependencies
  const owner = Buffer.from(dependencies.randomBytes(12)).toString('hex')
  const ending = new AbortController()
  /** The deliveries that this gateway has leased, by id. */
  const claimed = new Map<number, ClaimedDelivery>()
  const running = new Set<Promise<unknown>>()
  /** Claims under way: closing waits for them, and ends their leases. */
  const claims = new Set<Promise<unknown>>()
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

  /** Claims due deliveries of one merchant. */
  async function claim(...given: Parameters<typeof claimNow>): Promise<readonly DueWebhook[]> {
    if (isDraining) return []
    const claiming = claimNow(...given)
    claims.add(claiming)
    return claiming.finally(() => claims.delete(claiming))
  }

  async function claimNow(
    choice: Pick<Parameters<typeof claimDeliveries>[1], 'until' | 'id' | 'host' | 'eventId'>,
    limit: number,
    getTurn: (host: string) => LimitFunction,
  ): Promise<readonly DueWebhook[]> {
    const rows = await database.writeUnflushed(async (queries) =>
      withBodies(queries, await claimDeliveries(queries, { ...choice, ...lease(), limit })),
    )
    // A lease that could not be renewed has ended, but its call has not.
    const fresh = rows.filter(({ id }) => !claimed.has(id)).sort((one, two) => one.id - two.id)
    const merchant = fresh[0] && (await findMerchant(fresh[0].merchant_id))
    if (!merchant) return []
    return fresh.map((delivery) => {
      const turn = getTurn(delivery.host)
      const one = { delivery, merchant, turn, done: Promise.withResolvers<DueResult | undefined>() }
      claimed.set(delivery.id, one)
      return { ...createDueWebhook(delivery), claimed: one }
    })
  }

  function turnAt(host: string): LimitFunction {
    const turn = turns.get(host) ?? pLimit(PER_HOST)
    turns.set(host, turn)
    return turn
  }

  /**
   * Claims due deliveries, the earliest hosts first. A host that is called as often as allowed is
   * skipped until half of its claimed deliveries are done, so that one statement claims many.
   */
  async function claimDue(getTime: ClockTime): Promise<readonly DueWebhook[]> {
    if (isDraining) return []
    const hosts = await findDueHosts(database.db, { machineNow: machine() })
    const due: DueWebhook[] = []
    for (const { host, dueAt } of hosts.sort((one, two) => (one.dueAt ?? 0) - (two.dueAt ?? 0))) {
      const merchantId = getOwner(host)
      const until = dueAt === null ? undefined : getTime(merchantId)
      if (until === undefined || dueAt === null || dueAt > until) continue
      const all = [...claimed.values()].map(({ delivery }) => delivery)
      const ofHost = all.filter((delivery) => delivery.host === host).length
      const ofMerchant = all.filter(({ merchant_id }) => merchant_id === merchantId).length
      const room = Math.min(CLAIMED_PER_HOST - ofHost, CLAIMED - all.length - ofMerchant)
      if (room <= 0 || ofHost > CLAIMED_PER_HOST / 2) continue
      try {
        due.push(...(await claim({ until, host }, room, turnAt)))
      } catch (error) {
        // The deliveries of other hosts are claimed already, so they are sent.
        if (due.length > 0) return due
        throw error
      }
    }
    return due
  }

  /** Sends a delivery, or waits for its result if it is claimed already. */
  async function run(due: DueWebhook): Promise<DueResult | undefined> {
    const one = due.claimed ?? (await claimOne(due))
    if (!one) return claimed.get(due.id)?.done.promise
    const sending = attempt(one)
    const finished = sending.then(one.done.resolve, () => one.done.resolve(undefined))
    running.add(finished)
    finished.finally(() => running.delete(finished))
    return sending
  }

  /** Claims a delivery; undefined if another process or this one has claimed it. */
  async function claimOne({ id, at }: DueWebhook): Promise<ClaimedDelivery | undefined> {
    const [one] = claimed.has(id) ? [] : await claim({ until: at, id }, 1, turnAt)
    // A claim that began before this one may have it, and not have registered it.
    if (!one) await Promise.allSettled(claims)
    return one?.claimed
  }

  async function attempt(one: ClaimedDelivery): Promise<DueResult | undefined> {
    const { delivery } = one
    const since = performance.now()
    try {
      const called = await one.turn(() => call(one))
      // Cancelled when the gateway closed: the result is unknown, so it is sent again.
      if (!called || (ending.signal.aborted && called.sent.reply.code === null)) return undefined
      const kept = await keep(called)
      report(called, kept?.dueAt, performance.now() - since)
      return kept?.outcome
    } finally {
      if (!isDraining) forget(delivery)
    }
  }

  async function call({ delivery, merchant }: ClaimedDelivery): Promise<DeliveryCall | undefined> {
    const send = transports[delivery.type]
    if (isDraining || !send) return undefined
    return sendOnce(send, { delivery, merchant }, machine, ending.signal)
  }

  function report(called: DeliveryCall, dueAt: number | null | undefined, milliseconds: number) {
    const { id, merchant_id: merchantId, type, transaction_id } = called.delivery
    attempts.add({ type, outcome: called.sent.outcome }, milliseconds / 1000)
    logger.info({ merchant_id: merchantId, webhook: attemptLine(called, dueAt) })
    changes.publish({ merchantId, topic: 'webhooks', id })
    if (transaction_id !== null)
      changes.publish({ merchantId, topic: 'transactions', id: transaction_id })
  }

  function forget({ id, host }: FullDelivery) {
    claimed.delete(id)
    if (![...claimed.values()].some((other) => other.delivery.host === host)) turns.delete(host)
  }

  async function drain(): Promise<void> {
    isDraining = true
    const impatient = timers.setTimeout(() => ending.abort(), DRAIN_MS)
    await Promise.allSettled([...claims, ...running])
    timers.clearTimeout(impatient)
    timers.clearInterval(renewing)
    const unsent = [...claimed.keys()]
    for (const { done } of claimed.values()) done.resolve(undefined)
    claimed.clear()
    if (unsent.length > 0)
      await database.writeUnflushed((queries) => endLeases(queries, unsent, owner, {}))
  }

  return {
    drain,
    due: {
      kind: 'webhook',
      run,
      claimDue,
      first: async (queries, scope, limit) =>
        isDraining
          ? []
          : (await findDueDeliveries(queries, { ...scope, machineNow: machine(), limit })).map(
              createDueWebhook,
            ),
      /** Claims the delivery and further ones of its event to its host, called one by one. */
      async claimWith({ at, host, eventId }) {
        const turn = pLimit(1)
        return claim({ until: at, host, eventId }, OF_EVENT, () => turn)
      },
    },
  }
}

/** Returns the merchant of a host key. */
const getOwner = (host: string): number => Number.parseInt(host, 10)

const createDueWebhook = ({
  id,
  merchant_id,
  due_at,
  event_id,
  host,
}: DueDelivery): DueWebhook => ({
  at: due_at ?? 0,
  merchantId: merchant_id,
  id,
  eventId: event_id,
  host,
})
