import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import { unavailability } from '../storage/unavailable.ts'
import { createBatcher } from './batched.ts'
import { LEASE_MS, type Leases } from './leases.ts'
import { type RecordedResult, recordResults } from './record-results.ts'
import { createFailure, type DeliveryCall } from './transport.ts'

/** What came of so many calls is kept together, or of fewer after so many milliseconds. */
const BATCH_SIZE = 32
const BATCH_MS = 10

/** Milliseconds before what came of a call is kept again, when the database does not answer. */
const RETRY_MS = 500

interface RecorderDependencies {
  readonly database: Database
  readonly momentOf: (merchantId: number) => number
  readonly leases: Leases
  /** True once the gateway ends. */
  readonly isDraining: () => boolean
}

/**
 * Writes down what came of a call: with others of those that were taken, if they end soon after
 * each other.
 */
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

  /** What the database will not have of it is left out. */
  const keepAlone = (called: DeliveryCall) =>
    keep([called]).catch((error: unknown) => keep([{ ...called, sent: createFailure(error) }]))

  /** @returns undefined when they could not be kept together */
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

/**
 * What came of a call is not forgotten while the database is away for a while: it would be made
 * again.
 */
async function retryWhileLeased<T>(isDraining: () => boolean, write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LEASE_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (unavailability(error) === undefined || isDraining() || performance.now() > until)
        throw error
      await pause(RETRY_MS, undefined, { ref: false })
    }
  }
}
