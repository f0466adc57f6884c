/** Generator of numbers from 0 to below 1. */
export type Draw = () => number

/** Returns the same numbers for the same seed, with the fast generator mulberry32. */
export function drawsBy(seed: number): Draw {
  let state = seed
  return () => {
    state += 0x6d2b79f5
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Share of requests that are mutations of stored requests. The other requests are new. */
const MUTATED_SHARE = 0.7

/** Share of the parts of a mutated request that stay unchanged. */
const KEPT = 0.85

/**
 * Store of request drafts that reached new code. Most of the next requests are such a draft, with
 * some parts of another draft of the same kind.
 */
export class Corpus<Draft extends object> {
  readonly #kept: Draft[] = []
  readonly #draw: Draw
  readonly #drawn: (like?: Draft) => Draft

  /** @param drawn draws a new draft; of the same kind as `like` if it is given */
  constructor(draw: Draw, drawn: (like?: Draft) => Draft) {
    this.#draw = draw
    this.#drawn = drawn
  }

  keep(draft: Draft): void {
    this.#kept.push(draft)
  }

  next(): Draft {
    // Prefers newer drafts, because they have been mutated less often.
    const place = Math.floor(Math.max(this.#draw(), this.#draw()) * this.#kept.length)
    const kept = this.#draw() < MUTATED_SHARE ? this.#kept[place] : undefined
    return kept ? (crossed(kept, this.#drawn(kept), this.#draw) as Draft) : this.#drawn()
  }
}

/** Returns a draft with a few parts of another draft, at any depth. */
function crossed(kept: unknown, other: unknown, draw: Draw): unknown {
  if (!(isRecord(kept) && isRecord(other))) return draw() < KEPT ? kept : other
  const names = new Set([...Object.keys(kept), ...Object.keys(other)])
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [isKept, isOther] = [Object.hasOwn(kept, name), Object.hasOwn(other, name)]
      if (isKept && isOther) return [[name, crossed(kept[name], other[name], draw)]]
      // A member that only one draft has is included as often as that draft's other parts.
      if (draw() < KEPT) return isKept ? [[name, kept[name]]] : []
      return isKept ? [] : [[name, other[name]]]
    }),
  )
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
