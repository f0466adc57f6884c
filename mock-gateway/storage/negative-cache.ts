import { performance } from '../domain/timers.ts'
import type { Restores } from './database.ts'

/** Milliseconds after which another gateway on the same data may have added something. */
const AGAIN_MS = 1_000

/**
 * Caches that a list is empty, for outcomes and faults that only tests set, so that other requests
 * need no query. A row added by another gateway on the same data is seen a second later; a row
 * added by a restore immediately.
 */
export function createNegativeCache(restores: Restores) {
  let nothingSince = Number.NEGATIVE_INFINITY
  let version = 0
  let restoresSeen = restores.count()
  const mayHaveRows = () =>
    restoresSeen !== restores.count() || performance.now() - nothingSince >= AGAIN_MS
  return {
    /** Notes that a row was added. */
    added() {
      version += 1
      nothingSince = Number.NEGATIVE_INFINITY
    },
    /** Returns false if the list was empty a moment ago. */
    mayHaveRows,
    /**
     * Runs the query, unless it found nothing a moment ago.
     * @param query finds all rows
     */
    async find<Found>(query: () => Promise<readonly Found[]>): Promise<readonly Found[]> {
      if (!mayHaveRows()) return []
      const [before, restored] = [version, restores.count()]
      nothingSince = Number.NEGATIVE_INFINITY
      const found = await query()
      if (found.length === 0 && version === before && restores.count() === restored) {
        nothingSince = performance.now()
        restoresSeen = restored
      }
      return found
    },
  }
}
