import { setTimeout as pause } from 'node:timers/promises'
import type { Ambient } from '../domain/ambient.ts'
import type { Changes } from '../domain/changes.ts'
import type { Logger } from '../domain/logger.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Database } from '../storage/database.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import { unavailability } from '../storage/unavailable.ts'
import { leaseDeliveries, renewLeases, updateLeased } from '../storage/webhook-leases.ts'
import type { Dispatch } from '../storage/work.ts'
import type { Due, DueKind, DueScope, Outcome } from '../timeline/due.ts'
import { attemptLine } from './attempt-line.ts'
import { batched } from './batched.ts'
import { createCallLimits } from './call-limits.ts'
import { chosenDue } from './chosen-due.ts'
import { recordResults } from './record-results.ts'
import { type Called, failedBy, sendOnce, type Transport } from './transport.ts'

/** What sending is made of. */
export interface DeliveryDependencies {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds by a merchant's clock. */
  readonly momentOf: (merchantId: number) => number
  /** Epoch milliseconds of the machine: leases and signatures go by it. */
  readonly machine: () => number
  readonly findMerchant: (id: number) => Promise<Merchant | undefined>
  /** Whether a merchant's clock is being moved: everything is done in its order then. */
  readonly isMoving: (merchantId: number) => boolean
  /** By type of webhook; what has none waits. */
  readonly transports: Readonly<Record<string, Transport>>
  readonly logger: Logger
  /** Who looks on is told of each attempt. */
  readonly changes: Changes
}

/** Sends what falls due. */
export interface Deliveries {
  readonly due: DueKind
  /** Sends what is just being written. @param begin does what is due without its being looked for */
  dispatch(begin: (due: readonly Due[]) => void): Dispatch
  /** Begins no more, and lets what is being sent end for a while; what has not ended then is given back. */
  drain(): Promise<void>
}

/** Deliveries being sent at a time. */
const AT_ONCE = 512

/** Milliseconds that a lease lasts: what a process had that was killed is free again then. */
const LEASE_MS = 15_000

/** Milliseconds after which a lease is renewed, as long as the delivery waits for its turn and the call lasts. */
const RENEW_MS = 5_000

/** What came of so many calls is kept together, or of fewer after so many milliseconds. */
const KEPT_TOGETHER = 8
const KEEP_WITHIN_MS = 10

/** Milliseconds before what came of a call is kept again, when the database does not answer. */
const KEEP_AGAIN_MS = 500

/** Milliseconds that what is being sent has at the end of the gateway. */
const DRAIN_MS = 8_000

/** Sends deliveries as they fall due, each at least once (specification: Delivery rules). */
export function createDeliveries(dependencies: DeliveryDependencies): Deliveries {
  const { database, machine, transports } = dependencies
  const types = Object.keys(transports)
  const owner = Buffer.from(dependencies.randomBytes(12)).toString('hex')
  const ending = new AbortController()
  const limits = createCallLimits()
  const running = new Set<Promise<unknown>>()
  /** Until when, by the machine's clock. */
  const taken = new Map<number, number>()
  /** Those of them that were written with the lease. */
  const written = new Map<number, Pick<Called, 'delivery' | 'merchant'>>()
  let draining = false

  async function first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Due[]> {
    if (draining || types.length === 0) return []
    const chosen = await chosenDue(queries, { scope, types, machineNow: machine(), limit }, limits, taken.size)
    return chosen.map(({ id, merchant_id, due_at, host }) => {
      limits.found(id, host)
      return { at: due_at ?? scope.until, merchantId: merchant_id, id }
    })
  }

  function run(due: Due): Promise<Outcome | undefined> {
    limits.begun(due.id)
    const done = attempt(due).finally(() => {
      limits.done(due.id)
      taken.delete(due.id)
      running.delete(done)
    })
    running.add(done)
    return done
  }

  const dispatch = (begin: (due: readonly Due[]) => void): Dispatch => ({
    lease({ type, host, merchant_id, due_at }) {
      if (draining || !transports[type] || host === '' || dependencies.isMoving(merchant_id)) return undefined
      if ((due_at ?? Number.POSITIVE_INFINITY) > dependencies.momentOf(merchant_id) || !limits.admits(host))
        return undefined
      return { lease_owner: owner, lease_until: leaseNow().until }
    },
    send(deliveries, merchant) {
      for (const delivery of deliveries) {
        limits.found(delivery.id, delivery.host)
        taken.set(delivery.id, delivery.lease_until ?? 0)
        written.set(delivery.id, { delivery, merchant })
      }
      begin(deliveries.map(({ id, merchant_id, due_at }) => ({ at: due_at ?? 0, merchantId: merchant_id, id })))
    },
  })

  function leaseNow() {
    const machineNow = machine()
    return { owner, machineNow, until: machineNow + LEASE_MS }
  }

  const renewing = setInterval(() => {
    const lease = leaseNow()
    const ids = [...taken].flatMap(([id, until]) => (until - lease.machineNow > LEASE_MS - RENEW_MS ? [] : [id]))
    if (ids.length === 0) return
    const renewed = () => {
      for (const id of ids) if (taken.has(id)) taken.set(id, lease.until)
    }
    // When the database is away for long, another process may take them.
    database.writeUnflushed((queries) => renewLeases(queries, ids, lease)).then(renewed, () => {})
  }, RENEW_MS).unref()

  /** Those that are found at once are taken by one statement, and their merchants are asked for once. */
  const lease = batched(async (found: readonly Due[]) => {
    const lease = leaseNow()
    const rows = await database.writeUnflushed((queries) => leaseDeliveries(queries, found, lease))
    const leased = new Map(rows.map((row) => [row.id, row]))
    for (const id of leased.keys()) taken.set(id, lease.until)
    const merchants = new Map<number, Merchant | undefined>()
    for (const { merchant_id: id } of rows)
      if (!merchants.has(id)) merchants.set(id, await dependencies.findMerchant(id))
    return found.map(({ id }) => {
      const delivery = leased.get(id)
      return delivery && { delivery, merchant: merchants.get(delivery.merchant_id) }
    })
  })

  const keep = (all: readonly Called[]) =>
    whileLeased(() => database.writeUnflushed((queries) => recordResults(queries, all, { ...dependencies, owner })))

  /** What the database will not have of it is left out. */
  const keepAlone = (called: Called) =>
    keep([called]).catch((error: unknown) => keep([{ ...called, sent: failedBy(error) }]))

  /** Waits for others of those that were taken. @returns undefined when they could not be kept together */
  const keepTogether = batched(
    async (all: readonly Called[]) => {
      const kept = all.length > 1 ? await keep(all).catch(() => undefined) : undefined
      return all.map((_, place) => kept && { kept: kept[place] })
    },
    { areEnough: (count) => count >= Math.min(taken.size, KEPT_TOGETHER), within: KEEP_WITHIN_MS },
  )

  async function attempt(due: Due): Promise<Outcome | undefined> {
    const { delivery, merchant } = written.get(due.id) ?? (await lease(due).catch(soonAgain)) ?? {}
    written.delete(due.id)
    const send = delivery && transports[delivery.type]
    if (!delivery || !send || !merchant) return undefined
    const called = await limits.take(delivery.host, () =>
      sendOnce(send, { delivery, merchant }, machine, ending.signal),
    )
    // Cut off by the end of the gateway: nobody knows what the target made of it, so it is sent again.
    const isCut = ending.signal.aborted && called?.sent.reply.code === null
    if (!called || isCut) return giveBack(delivery)
    const { kept } = (await keepTogether(called)) ?? { kept: (await keepAlone(called))[0] }
    dependencies.logger.info({ merchant_id: merchant.id, webhook: attemptLine(called, kept?.dueAt) })
    tellOf(delivery)
    return kept?.outcome
  }

  function tellOf({ merchant_id: merchantId, id, transaction_id }: WebhookDeliveryRow): void {
    dependencies.changes.publish({ merchantId, topic: 'webhooks', id })
    if (transaction_id !== null) dependencies.changes.publish({ merchantId, topic: 'transactions', id: transaction_id })
  }

  /** What came of a call is not forgotten while the database is away for a while: it would be made again. */
  async function whileLeased<T>(write: () => Promise<T>): Promise<T> {
    const until = performance.now() + LEASE_MS
    for (;;) {
      try {
        return await write()
      } catch (error) {
        if (unavailability(error) === undefined || draining || performance.now() > until) throw error
        await pause(KEEP_AGAIN_MS, undefined, { ref: false })
      }
    }
  }

  /** Many at once, when a host has become slow or the gateway ends. */
  const giveBack = batched(async (all: readonly WebhookDeliveryRow[]) => {
    const ids = all.map(({ id }) => id)
    await database.writeUnflushed((queries) => updateLeased(queries, ids, owner, {}))
    return ids.map(() => undefined)
  })

  return {
    due: { kind: 'webhook', atOnce: AT_ONCE, first, run },
    dispatch,
    async drain() {
      draining = true
      limits.close()
      const impatient = setTimeout(() => ending.abort(), DRAIN_MS)
      await Promise.allSettled(running)
      clearTimeout(impatient)
      clearInterval(renewing)
    },
  }
}

/** A database that is away for a while is asked again soon. @throws every other error */
function soonAgain(error: unknown): undefined {
  if (unavailability(error) === undefined) throw error
}
