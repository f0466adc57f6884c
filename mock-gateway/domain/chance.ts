import { createHash } from 'node:crypto'
import type { Ambient } from './ambient.ts'

/** Position in the values of a seed. */
export interface SeedPosition {
  readonly seed: string
  /** Number of the stream; each stream has other values. */
  readonly stream: number
  /** Number of values that were drawn from the stream. */
  readonly drawn: number
}

/** Random bytes, with an optional seed. */
export interface RandomSource {
  readonly randomBytes: Ambient['randomBytes']
  /** Returns the source of one merchant: its own seed, or else the source of all merchants. */
  of(merchantId: number): Ambient['randomBytes']
  /**
   * Sets the random seed; undefined restores random bytes. Never used for real payments.
   * @param merchantId default: all merchants that have no seed of their own
   */
  seed(position: SeedPosition | undefined, merchantId?: number): void
  isSeeded(merchantId?: number): boolean
  /** Returns the position of each seed by merchant id; 0 stands for all merchants. */
  positions(): ReadonlyMap<number, SeedPosition>
  /** Removes every seed. */
  clear(): void
}

export function createRandomSource(machine: Ambient['randomBytes']): RandomSource {
  /** By merchant id; 0 stands for all merchants. */
  const seeded = new Map<number, SeedPosition>()
  function draw(merchantId: number, count: number): Uint8Array {
    const id = seeded.has(merchantId) ? merchantId : ALL_MERCHANTS
    const position = seeded.get(id)
    if (!position) return machine(count)
    const { seed, stream, drawn } = position
    seeded.set(id, { seed, stream, drawn: drawn + 1 })
    return drawSeededBytes(stream === 0 ? seed : `${seed} stream ${stream}`, drawn, count)
  }
  return {
    randomBytes: (count) => draw(ALL_MERCHANTS, count),
    of: (merchantId) => (count) => draw(merchantId, count),
    seed(position, merchantId = ALL_MERCHANTS) {
      if (position === undefined) seeded.delete(merchantId)
      else seeded.set(merchantId, position)
    },
    isSeeded: (merchantId = ALL_MERCHANTS) => seeded.has(merchantId) || seeded.has(ALL_MERCHANTS),
    positions: () => seeded,
    clear: () => seeded.clear(),
  }
}

const ALL_MERCHANTS = 0

/** Generates reproducible bytes from a seed. */
export function createSeededBytes(seed: string): Ambient['randomBytes'] {
  let drawn = 0
  return (count) => drawSeededBytes(seed, drawn++, count)
}

/** Returns the nth draw of this many bytes from a seed; n counts from 0. */
export const drawSeededBytes = (seed: string, n: number, count: number): Uint8Array =>
  createHash('shake256', { outputLength: count }).update(`${seed} ${n}`).digest()

/** Number of bytes drawn from the machine at a time. */
const POOL_BYTES = 4_096

/**
 * Draws random bytes from the machine in blocks, because one call costs far more than the bytes.
 * Bytes that were handed out are wiped from the pool.
 */
export function createPooledBytes(draw: Ambient['randomBytes']): Ambient['randomBytes'] {
  let pool: Uint8Array = new Uint8Array()
  let used = 0
  return (count) => {
    if (count > POOL_BYTES) return draw(count)
    if (used + count > pool.length) {
      pool = draw(POOL_BYTES)
      used = 0
    }
    const bytes = Uint8Array.from(pool.subarray(used, used + count))
    pool.fill(0, used, used + count)
    used += count
    return bytes
  }
}
