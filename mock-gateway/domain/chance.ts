import { createHash } from 'node:crypto'
import type { Ambient } from './ambient.ts'

/** Random bytes that may be made predictable. */
export interface Chance {
  readonly randomBytes: Ambient['randomBytes']
  /** From now on the same bytes for the same seed; undefined: random ones again. Never where a payment is real. */
  seed(seed: string | undefined): void
  isSeeded(): boolean
}

export function createChance(machine: Ambient['randomBytes']): Chance {
  let draw = machine
  return {
    randomBytes: (count) => draw(count),
    seed(seed) {
      draw = seed === undefined ? machine : seededBytes(seed)
    },
    isSeeded: () => draw !== machine,
  }
}

/** Bytes that look random and are the same for the same seed. */
export function seededBytes(seed: string): Ambient['randomBytes'] {
  let drawn = 0
  return (count) => createHash('shake256', { outputLength: count }).update(`${seed} ${drawn++}`).digest()
}
