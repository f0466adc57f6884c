import { createHash } from 'node:crypto'
import type { Ambient } from './ambient.ts'

/** Random bytes that may be made predictable. */
export interface RandomSource {
  readonly randomBytes: Ambient['randomBytes']
  /** Those of a merchant: by a seed of its own, else as everybody's. */
  of(merchantId: number): Ambient['randomBytes']
  /**
   * From now on the same bytes for the same seed; undefined: random ones again. Never where a
   * payment is real.
   * @param merchantId whose; undefined: of everybody, those with seeds of their own excepted
   */
  seed(seed: string | undefined, merchantId?: number): void
  isSeeded(merchantId?: number): boolean
  /** Random ones again for everybody. */
  clear(): void
}

export function createRandomSource(machine: Ambient['randomBytes']): RandomSource {
  /** By merchant; 0 is everybody. */
  const seeded = new Map<number, Ambient['randomBytes']>()
  const draw = (merchantId: number) =>
    seeded.get(merchantId) ?? seeded.get(ALL_MERCHANTS) ?? machine
  return {
    randomBytes: (count) => draw(ALL_MERCHANTS)(count),
    of: (merchantId) => (count) => draw(merchantId)(count),
    seed(seed, merchantId = ALL_MERCHANTS) {
      if (seed === undefined) seeded.delete(merchantId)
      else seeded.set(merchantId, seededBytes(seed))
    },
    isSeeded: (merchantId = ALL_MERCHANTS) => seeded.has(merchantId) || seeded.has(ALL_MERCHANTS),
    clear: () => seeded.clear(),
  }
}

const ALL_MERCHANTS = 0

/** Bytes that look random and are the same for the same seed. */
export function seededBytes(seed: string): Ambient['randomBytes'] {
  let drawn = 0
  return (count) => drawSeededBytes(seed, drawn++, count)
}

/** The nth time that so many bytes are drawn by a seed; n counts from 0. */
export const drawSeededBytes = (seed: string, n: number, count: number): Uint8Array =>
  createHash('shake256', { outputLength: count }).update(`${seed} ${n}`).digest()

/** Bytes that are taken at a time. */
const POOL_BYTES = 4_096

/**
 * The same random bytes, taken from the machine many at a time: asking it takes far longer than
 * what it is asked for. What was handed out is wiped from the pool.
 */
export function pooledBytes(draw: Ambient['randomBytes']): Ambient['randomBytes'] {
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
