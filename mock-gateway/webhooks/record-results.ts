import { performance, timers } from '../domain/timers.ts'
import type { DueResult } from '../scheduler/due.ts'
import type { Database } from '../storage/database.ts'
import { endLeases } from '../storage/due-deliveries.ts'
import { insertRows } from '../storage/rows.ts'
import type { NotificationRow } from '../storage/tables/notifications.ts'
import type { Queries } from '../storage/tables/schema.ts'
import { explainUnavailability } from '../storage/unavailable.ts'
import { insertDeliveries } from '../storage/webhook-deliveries.ts'
import { updateWebhooks } from '../storage/webhooks.ts'
import { createAlerts, createNotice, describeResult } from './notice.ts'
import { type AttemptEffect, calculateAttemptEffect } from './schedule.ts'
import { createFailure, type DeliveryCall } from './transport.ts'

interface RecordDependencies {
  /** Owner of the leases. */
  readonly owner: string
  /** Returns epoch milliseconds by a merchant's clock. */
  readonly getMoment: (merchantId: number) => number
}

/** Result of a call to store. */
interface CallResult extends DeliveryCall, Pick<AttemptEffect, 'notice'> {
  /** Epoch milliseconds by the merchant's clock. */
  readonly now: number
}

/** Stored result of a call. */
interface RecordedResult {
  readonly outcome: DueResult
  /** Epoch milliseconds of the next attempt; null if there is none. */
  readonly dueAt: number | null
}

/**
 * Stores the results of calls, and updates their deliveries.
 * @returns in the same order; undefined for a delivery that another process has taken over, whose
 *   result is dropped
 */
async function recordResults(
  queries: Queries,
  all: readonly DeliveryCall[],
  dependencies: RecordDependencies,
): Promise<readonly (RecordedResult | undefined)[]> {
  const results = all.map((called) => {
    const now = dependencies.getMoment(called.delivery.merchant_id)
    return { ...called, now, ...calculateAttemptEffect(called.delivery, called.sent.outcome, now) }
  })
  const ours = await updateDeliveries(queries, results, dependencies.owner)
  await recordAttempts(
    queries,
    results.filter(({ delivery }) => ours.has(delivery.id)),
  )
  return results.map((result) =>
    ours.has(result.delivery.id)
      ? { outcome: createDueResult(result), dueAt: result.changes.due_at ?? null }
      : undefined,
  )
}

/** Most deliveries succeed at the first attempt, so one statement changes them all. */
async function updateDeliveries(
  queries: Queries,
  results: readonly (DeliveryCall & AttemptEffect)[],
  owner: string,
): Promise<ReadonlySet<number>> {
  const ended = new Set<number>()
  const alike = Map.groupBy(results, ({ changes }) => JSON.stringify(changes))
  for (const [first, ...others] of alike.values()) {
    if (!first) continue
    const ids = [first, ...others].map(({ delivery }) => delivery.id)
    for (const { id } of await endLeases(queries, ids, owner, first.changes)) ended.add(id)
  }
  return ended
}

/** Stores attempts, the responses of their webhooks, and alerts. */
export async function recordAttempts(
  queries: Queries,
  results: readonly CallResult[],
): Promise<void> {
  const attempts = results.map(createAttemptRow)
  await insertRows(queries, 'webhook_attempts', attempts)
  const shown = results.flatMap(({ delivery: { id, webhook_id }, sent }, place) => {
    const { response, request_body } = attempts[place] as ReturnType<typeof createAttemptRow>
    const delivery_id = request_body === sent.requestBody ? null : id
    return webhook_id === null ? [] : [{ id: webhook_id, response, request_body, delivery_id }]
  })
  await updateWebhooks(queries, shown)
  for (const result of results) if (result.notice) await notify(queries, result, result.notice)
}

/**
 * A request body equal to the delivery's body is stored once: most are equal, and it is the largest
 * column.
 */
const createAttemptRow = ({ delivery, sent, duration, now }: CallResult) => ({
  merchant_id: delivery.merchant_id,
  delivery_id: delivery.id,
  number: delivery.calls + 1,
  manual: delivery.again_from !== null,
  outcome: sent.outcome,
  request_headers: sent.requestHeaders ?? null,
  request_body: sent.requestHeaders && sent.requestBody === delivery.body ? null : sent.requestBody,
  response: { ...sent.reply },
  duration,
  created_at: now,
})

async function notify(
  queries: Queries,
  { delivery, merchant, sent, now }: CallResult,
  notice: NotificationRow['kind'],
) {
  const notification = createNotice(notice, delivery, sent.reply, now)
  await insertRows(queries, 'notifications', [notification])
  await insertDeliveries(queries, createAlerts(merchant, delivery, notification))
}

const createDueResult = ({ delivery, sent: { outcome, reply } }: DeliveryCall): DueResult => ({
  what: describeResult(delivery, reply),
  facts: {
    delivery_id: delivery.id,
    trigger: delivery.trigger,
    transaction_id: delivery.transaction_id,
    code: reply.code,
    outcome,
  },
})

/** Maximum number of results that are stored together. */
const BATCH_SIZE = 32

/** Milliseconds between attempts to store a result while the database is unavailable. */
const RETRY_MS = 500

interface RecorderDependencies extends RecordDependencies {
  readonly database: Database
  /** True when the gateway is closing. */
  readonly isDraining: () => boolean
  /** Milliseconds for storing results while the database is unavailable. */
  readonly within: number
}

/** A result that waits to be stored. */
interface WaitingResult {
  readonly called: DeliveryCall
  readonly resolve: (kept: RecordedResult | undefined) => void
  readonly reject: (error: unknown) => void
}

/** Stores results of calls: all that end while earlier ones are stored share a batch. */
export function createResultRecorder(dependencies: RecorderDependencies) {
  const { database } = dependencies
  const waiting: WaitingResult[] = []
  let isRunning = false

  const keep = (all: readonly DeliveryCall[]) =>
    retryWhileUnavailable(dependencies, () =>
      database.writeUnflushed((queries) => recordResults(queries, all, dependencies)),
    )

  /** Skips the parts that the database rejects. */
  const keepAlone = (called: DeliveryCall) =>
    keep([called]).catch((error: unknown) => keep([{ ...called, sent: createFailure(error) }]))

  async function keepAll() {
    isRunning = true
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH_SIZE)
      const kept =
        batch.length > 1
          ? await keep(batch.map(({ called }) => called)).catch(() => undefined)
          : undefined
      for (const [place, { called, resolve, reject }] of batch.entries())
        if (kept) resolve(kept[place])
        else await keepAlone(called).then(([one]) => resolve(one), reject)
    }
    isRunning = false
  }

  return (called: DeliveryCall): Promise<RecordedResult | undefined> =>
    new Promise((resolve, reject) => {
      waiting.push({ called, resolve, reject })
      if (!isRunning) void keepAll()
    })
}

/** Retries while the database is unavailable: without its result a call would be repeated. */
async function retryWhileUnavailable<T>(
  { isDraining, within }: RecorderDependencies,
  write: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + within
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (explainUnavailability(error) === undefined || isDraining() || performance.now() > until)
        throw error
      await timers.pause(RETRY_MS, undefined, { ref: false })
    }
  }
}
