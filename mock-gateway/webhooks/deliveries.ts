import type { Ambient } from '../domain/ambient.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Merchant } from '../domain/merchant.ts'
import type { Database } from '../storage/database.ts'
import { insertNotification } from '../storage/notifications.ts'
import type { Queries } from '../storage/schema.ts'
import { insertAttempt } from '../storage/webhook-attempts.ts'
import {
  type DeliveriesDue,
  type DueDelivery,
  findDueDeliveries,
  hostsOfPending,
  insertDeliveries,
  leaseDelivery,
  updateLeased,
  type WebhookDeliveryRow,
} from '../storage/webhook-deliveries.ts'
import { updateWebhook } from '../storage/webhooks.ts'
import type { Due, DueKind, DueScope, Outcome } from '../timeline/due.ts'
import { afterAttempt } from './after-attempt.ts'
import { alertsOf } from './alerts.ts'
import { CALL_MS } from './http-transport.ts'
import { noticeOf, shown } from './notice.ts'
import { draw } from './schedule.ts'
import type { Sent, Transport } from './transport.ts'

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

/** Calls to one host at a time, so that a slow shop does not keep those of others waiting. */
const PER_HOST = 4

/** Deliveries being sent at a time. */
const AT_ONCE = 256

/** Milliseconds that a lease lasts beyond a call; of a process that was killed it is then free again. */
const LEASE_MS = CALL_MS + 15_000

/** Milliseconds that what is being sent has at the end of the gateway. */
const DRAIN_MS = 8_000

/** Sends deliveries as they fall due, each at least once (specification: Delivery rules). */
export function createDeliveries(parts: DeliveryParts): Deliveries {
  const { database, machine, transports } = parts
  const types = Object.keys(transports)
  const owner = Buffer.from(parts.randomBytes(12)).toString('hex')
  const ending = new AbortController()
  /** The hosts of deliveries that were found due, until they are done. */
  const hosts = new Map<number, string>()
  const running = new Set<Promise<unknown>>()
  let draining = false

  async function first(queries: Queries, scope: DueScope, limit: number): Promise<readonly Due[]> {
    if (draining || types.length === 0) return []
    const chosen = await chosenDue(queries, { scope, types, machineNow: machine(), limit }, hosts)
    return chosen.map(({ id, merchant_id, due_at, host }) => {
      hosts.set(id, host)
      return { at: due_at ?? scope.until, merchantId: merchant_id, id }
    })
  }

  function run(due: Due): Promise<Outcome | undefined> {
    const done = attempt(due).finally(() => {
      hosts.delete(due.id)
      running.delete(done)
    })
    running.add(done)
    return done
  }

  async function attempt(due: Due): Promise<Outcome | undefined> {
    const machineNow = machine()
    const lease = { owner, machineNow, until: machineNow + LEASE_MS }
    const delivery = await database.write((queries) => leaseDelivery(queries, due, lease))
    const send = delivery && transports[delivery.type]
    const merchant = delivery && (await parts.findMerchant(delivery.merchant_id))
    if (!delivery || !send || !merchant) return undefined
    const started = performance.now()
    const timestamp = Math.floor(machineNow / 1000)
    const sent = await send({ delivery, merchant, attempt: delivery.calls + 1, timestamp }, ending.signal)
    const duration = Math.round(performance.now() - started)
    // Cut off by the end of the gateway: nobody knows what the target made of it, so it is sent again.
    const isCut = ending.signal.aborted && sent.reply.code === null
    return database.write((queries) =>
      isCut ? giveBack(queries, delivery) : keep(queries, merchant, delivery, sent, duration),
    )
  }

  async function giveBack(queries: Queries, { id }: WebhookDeliveryRow) {
    await updateLeased(queries, id, owner, {})
    return undefined
  }

  async function keep(
    queries: Queries,
    merchant: Merchant,
    delivery: WebhookDeliveryRow,
    sent: Sent,
    duration: number,
  ) {
    const now = parts.momentOf(delivery.merchant_id)
    const { outcome, reply, requestBody } = sent
    const { changes, notice } = afterAttempt(delivery, outcome, now, draw(parts.randomBytes))
    if (!(await updateLeased(queries, delivery.id, owner, changes))) return undefined
    const response = { ...reply } as JsonObject
    await insertAttempt(queries, {
      merchant_id: delivery.merchant_id,
      delivery_id: delivery.id,
      number: delivery.calls + 1,
      manual: delivery.again_from !== null,
      outcome,
      request_body: requestBody,
      response,
      duration,
      created_at: now,
    })
    if (delivery.webhook_id !== null)
      await updateWebhook(queries, delivery.webhook_id, { response, request_body: requestBody })
    if (notice) {
      const notification = noticeOf(notice, delivery, reply, now)
      await insertNotification(queries, notification)
      const id = Buffer.from(parts.randomBytes(16)).toString('hex')
      await insertDeliveries(queries, alertsOf(merchant, delivery, notification, id))
    }
    return {
      what: shown(delivery, reply),
      facts: { delivery_id: delivery.id, transaction_id: delivery.transaction_id, code: reply.code, outcome },
    }
  }

  return {
    due: { kind: 'webhook', atOnce: AT_ONCE, first, run },
    async drain() {
      draining = true
      const impatient = setTimeout(() => ending.abort(), DRAIN_MS)
      await Promise.allSettled(running)
      clearTimeout(impatient)
    },
  }
}

/**
 * The earliest that are due, with no more for a host than may be called at once. Where many wait for a few hosts, the
 * others are asked for by host, so that they are found however many wait.
 * @param underWay hosts of those that are being sent
 */
async function chosenDue(queries: Queries, due: DeliveriesDue, underWay: ReadonlyMap<number, string>) {
  const counts = new Map<string, number>()
  for (const id of due.scope.without ?? []) count(counts, underWay.get(id))
  const chosen = new Map<number, DueDelivery>()
  const choose = (found: readonly DueDelivery[]) => {
    const kept = found.filter(({ id, host }) => !chosen.has(id) && (host === '' || (counts.get(host) ?? 0) < PER_HOST))
    for (const delivery of kept) {
      if (chosen.size >= due.limit || (counts.get(delivery.host) ?? 0) >= PER_HOST) continue
      chosen.set(delivery.id, delivery)
      if (delivery.host !== '') count(counts, delivery.host)
    }
  }
  const found = await findDueDeliveries(queries, due)
  choose(found)
  // All that are due were seen, or there is no room for more.
  if (found.length < due.limit || chosen.size === due.limit) return [...chosen.values()]
  for (const host of await hostsOfPending(queries)) {
    const left = Math.min(PER_HOST - (counts.get(host) ?? 0), due.limit - chosen.size)
    if (left > 0) choose(await findDueDeliveries(queries, { ...due, host, limit: PER_HOST }))
  }
  return [...chosen.values()]
}

function count(counts: Map<string, number>, host: string | undefined) {
  if (host) counts.set(host, (counts.get(host) ?? 0) + 1)
}
