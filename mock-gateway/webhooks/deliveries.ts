import { setTimeout as pause } from 'node:timers/promises'
import type { Ambient } from '../domain/ambient.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Database } from '../storage/database.ts'
import type { Queries } from '../storage/schema.ts'
import { unavailability } from '../storage/unavailable.ts'
import type { WebhookDeliveryRow } from '../storage/webhook-deliveries.ts'
import { leaseDeliveries, renewLeases, updateLeased } from '../storage/webhook-leases.ts'
import type { Due, DueKind, DueScope, Outcome } from '../timeline/due.ts'
import { chosenDue } from './chosen-due.ts'
import { gathered } from './gathered.ts'
import { keepResults } from './keep-results.ts'
import { type Called, sendOnce, type Transport } from './transport.ts'
import { createTurns } from './turns.ts'

/** What sending is made of. */
export interface DeliveryParts {
  readonly database: Database
  readonly randomBytes: Ambient['randomBytes']
  /** Epoch milliseconds by a merchant's clock. */
  readonly momentOf: (merchantId: number) => number
  /** Epoch milliseconds of the machine: leases and signatures go by it. */
  readonly machine: () => number
  readonly findMerchant: (id: number) => Promise<Merchant | undefined>
  /** By type of webhook; what has none waits. */
  readonly transports: Readonly<Record<string, Transport>>
}

/** Sends what falls due. */
export interface Deliveries {
  readonly due: DueKind
  /** Begins no more, and lets what is being sent end for a while; what has not ended then is given back. */
  drain(): Promise<void>
}

/** Deliveries being sent at a time. */
const AT_ONCE = 256

/** Milliseconds that a lease lasts: what a process had that was killed is free again then. */
const LEASE_MS = 15_000

/** Milliseconds after which a lease is renewed, as long as the call lasts. */
const RENEW_MS = 5_000

/** What came of so many calls is kept together, or of fewer after so many milliseconds. */
const KEPT_TOGETHER = 16
const KEEP_WITHIN_MS = 10

/** Milliseconds before what came of a call is kept again, when the database does not answer. */
const KEEP_AGAIN_MS = 500

/** Milliseconds that what is being sent has at the end of the gateway. */
const DRAIN_MS = 8_000

/** Sends deliveries as they fall due, each at least once (specification: Delivery rules). */
export function createDeliveries(parts: DeliveryParts): Deliveries {
  const { database, machine, transports } = parts
  const types = Object.keys(transports)
  const owner = Buffer.from(parts.randomBytes(12)).toString('hex')
  const ending = new AbortController()
  const turns = createTurns()
  const running = new Set<Promise<unknown>>()
  const taken = new Set<number>()
  let draining = false

  async function first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Due[]> {
    if (draining || types.length === 0) return []
    const chosen = await chosenDue(queries, { scope, types, machineNow: machine(), limit }, turns, taken.size)
    return chosen.map(({ id, merchant_id, due_at, host }) => {
      turns.found(id, host)
      return { at: due_at ?? scope.until, merchantId: merchant_id, id }
    })
  }

  function run(due: Due): Promise<Outcome | undefined> {
    turns.begun(due.id)
    const done = attempt(due).finally(() => {
      turns.done(due.id)
      taken.delete(due.id)
      running.delete(done)
    })
    running.add(done)
    return done
  }

  function leaseNow() {
    const machineNow = machine()
    return { owner, machineNow, until: machineNow + LEASE_MS }
  }

  const renewing = setInterval(() => {
    // When the database is away for long, another process may take them.
    if (taken.size > 0)
      database.writeUnflushed((queries) => renewLeases(queries, [...taken], leaseNow())).catch(() => {})
  }, RENEW_MS).unref()

  /** Those that are found at once are taken by one statement, and their merchants are asked for once. */
  const lease = gathered(async (found: readonly Due[]) => {
    const rows = await database.writeUnflushed((queries) => leaseDeliveries(queries, found, leaseNow()))
    const leased = new Map(rows.map((row) => [row.id, row]))
    for (const id of leased.keys()) taken.add(id)
    const merchants = new Map<number, Merchant | undefined>()
    for (const { merchant_id: id } of rows) if (!merchants.has(id)) merchants.set(id, await parts.findMerchant(id))
    return found.map(({ id }) => {
      const delivery = leased.get(id)
      return delivery && { delivery, merchant: merchants.get(delivery.merchant_id) }
    })
  })

  const keep = (all: readonly Called[]) =>
    whileLeased(() => database.writeUnflushed((queries) => keepResults(queries, all, { ...parts, owner })))

  /** Waits for others of those that were taken. @returns undefined when they could not be kept together */
  const keepTogether = gathered(
    async (all: readonly Called[]) => {
      const outcomes = all.length > 1 ? await keep(all).catch(() => undefined) : undefined
      return all.map((_, place) => outcomes && { outcome: outcomes[place] })
    },
    { areEnough: (count) => count >= Math.min(taken.size, KEPT_TOGETHER), within: KEEP_WITHIN_MS },
  )

  async function attempt(due: Due): Promise<Outcome | undefined> {
    const { delivery, merchant } = (await lease(due).catch(soonAgain)) ?? {}
    const send = delivery && transports[delivery.type]
    if (!delivery || !send || !merchant) return undefined
    const called = await turns.take(delivery.host, () => sendOnce(send, { delivery, merchant }, machine, ending.signal))
    // Cut off by the end of the gateway: nobody knows what the target made of it, so it is sent again.
    const isCut = ending.signal.aborted && called?.sent.reply.code === null
    if (!called || isCut) return database.writeUnflushed((queries) => giveBack(queries, delivery))
    const kept = (await keepTogether(called)) ?? { outcome: (await keep([called]))[0] }
    return kept.outcome
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

  async function giveBack(queries: Queries, { id }: WebhookDeliveryRow) {
    await updateLeased(queries, [id], owner, {})
    return undefined
  }

  return {
    due: { kind: 'webhook', atOnce: AT_ONCE, first, run },
    async drain() {
      draining = true
      turns.close()
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
