import { performance, timers } from '../domain/timers.ts'
import type { Database } from '../storage/database.ts'
import { unavailability } from '../storage/unavailable.ts'
import { createBatcher } from './batched.ts'
import { LEASE_MS, type Leases } from './leases.ts'
import { type RecordedResult, recordResults } from './record-results.ts'
import { createFailure, type DeliveryCall } from './transport.ts'

/** Results are stored in batches of this size, or fewer after this many milliseconds. */
const BATCH_SIZE = 32
const BATCH_MS = 10

/** Milliseconds between attempts to store a result while the database is unavailable. */
const RETRY_MS = 500

interface RecorderDependencies {
  readonly database: Database
  readonly momentOf: (merchantId: number) => number
  readonly leases: Leases
  /** True when the gateway is closing. */
  readonly isDraining: () => boolean
}

/** Stores results of calls, in batches if they end soon after each other. */
export function createResultRecorder({
  database,
  momentOf,
  leases,
  isDraining,
}: RecorderDependencies) {
  const { owner, taken } = leases
  const keep = (all: readonly DeliveryCall[]) =>
    retryWhileLeased(isDraining, () =>
      database.writeUnflushed((queries) => recordResults(queries, all, { momentOf, owner })),
    )

  /** Skips the parts that the database rejects. */
  const keepAlone = (called: DeliveryCall) =>
    keep([called]).catch((error: unknown) => keep([{ ...called, sent: createFailure(error) }]))

  /** @returns undefined if they could not be stored together */
  const keepTogether = createBatcher(
    async (all: readonly DeliveryCall[]) => {
      const kept = all.length > 1 ? await keep(all).catch(() => undefined) : undefined
      return all.map((_, place) => kept && { kept: kept[place] })
    },
    { areEnough: (count) => count >= Math.min(taken.size, BATCH_SIZE), within: BATCH_MS },
  )

  return async (called: DeliveryCall): Promise<RecordedResult | undefined> => {
    const { kept } = (await keepTogether(called)) ?? { kept: (await keepAlone(called))[0] }
    return kept
  }
}

/** Retries while the database is unavailable: without its result a call would be repeated. */
async function retryWhileLeased<T>(isDraining: () => boolean, write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LEASE_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (unavailability(error) === undefined || isDraining() || performance.now() > until)
        throw error
      await timers.pause(RETRY_MS, undefined, { ref: false })
    }
  }
}
