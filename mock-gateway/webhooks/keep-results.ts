import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../storage/database.ts'
import { unavailability } from '../storage/unavailable.ts'
import { batched } from './batched.ts'
import { LEASE_MS, type Leases } from './leases.ts'
import { type RecordedResult, recordResults } from './record-results.ts'
import { type Called, failedBy } from './transport.ts'

/** What came of so many calls is kept together, or of fewer after so many milliseconds. */
const KEPT_TOGETHER = 32
const KEEP_WITHIN_MS = 10

/** Milliseconds before what came of a call is kept again, when the database does not answer. */
const KEEP_AGAIN_MS = 500

interface KeepDependencies {
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
export function resultKeeper({ database, momentOf, leases, isDraining }: KeepDependencies) {
  const { owner, taken } = leases
  const keep = (all: readonly Called[]) =>
    whileLeased(isDraining, () =>
      database.writeUnflushed((queries) => recordResults(queries, all, { momentOf, owner })),
    )

  /** What the database will not have of it is left out. */
  const keepAlone = (called: Called) =>
    keep([called]).catch((error: unknown) => keep([{ ...called, sent: failedBy(error) }]))

  /** @returns undefined when they could not be kept together */
  const keepTogether = batched(
    async (all: readonly Called[]) => {
      const kept = all.length > 1 ? await keep(all).catch(() => undefined) : undefined
      return all.map((_, place) => kept && { kept: kept[place] })
    },
    { areEnough: (count) => count >= Math.min(taken.size, KEPT_TOGETHER), within: KEEP_WITHIN_MS },
  )

  return async (called: Called): Promise<RecordedResult | undefined> => {
    const { kept } = (await keepTogether(called)) ?? { kept: (await keepAlone(called))[0] }
    return kept
  }
}

/**
 * What came of a call is not forgotten while the database is away for a while: it would be made
 * again.
 */
async function whileLeased<T>(isDraining: () => boolean, write: () => Promise<T>): Promise<T> {
  const until = performance.now() + LEASE_MS
  for (;;) {
    try {
      return await write()
    } catch (error) {
      if (unavailability(error) === undefined || isDraining() || performance.now() > until)
        throw error
      await pause(KEEP_AGAIN_MS, undefined, { ref: false })
    }
  }
}
