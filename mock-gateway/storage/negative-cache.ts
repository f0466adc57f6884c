import type { Restores } from './restores.ts'

/** Milliseconds after which another gateway on the same data may have added something. */
const AGAIN_MS = 1_000

/**
 * Remembers that there is nothing, for what tests set and as a rule have not: whoever looks is to
 * pay nothing for that. Something that another gateway on the same data has added is seen a second
 * later, and what a restore has added at once.
 */
export function negativeCache(restores: Restores) {
  let nothingSince = Number.NEGATIVE_INFINITY
  let version = 0
  const restored = restores.count()
  const mayBe = () => restored !== restores.count() || performance.now() - nothingSince >= AGAIN_MS
  return {
    /** There is something now. */
    added() {
      version += 1
      nothingSince = Number.NEGATIVE_INFINITY
    },
    /** False when there was nothing a moment ago. */
    mayBe,
    /** Looks, unless there was nothing a moment ago. @param look finds all there are */
    async find<Found>(look: () => Promise<readonly Found[]>): Promise<readonly Found[]> {
      if (!mayBe()) return []
      const before = version
      const found = await look()
      if (found.length === 0 && version === before && restored === restores.count())
        nothingSince = performance.now()
      return found
    },
  }
}
