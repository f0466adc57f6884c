import { hash } from 'node:crypto'

/**
 * Generator of random values from a seed. Draws under one name do not affect draws under another
 * name.
 */
export interface Chance {
  /** Draws a whole number from 0 to below `limit`. */
  below(limit: number): number
  happens(probability: number): boolean
  pick<Item>(items: readonly [Item, ...Item[]]): Item
  /** Draws one of the names by weight. */
  weighed<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>): Name
  bytes(count: number): Uint8Array
  /** Returns an independent generator for a part of the run. */
  of(name: string): Chance
}

export function createChance(seed: string): Chance {
  const next = sfc32(Buffer.from(hash('sha256', seed, 'hex'), 'hex'))
  const fraction = () => next() / 2 ** 32
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    below,
    happens: (probability) => fraction() < probability,
    pick: ([first, ...others]) => others[below(others.length + 1) - 1] ?? first,
    weighed(weights) {
      const all = Object.entries(weights) as [keyof typeof weights, number][]
      let left = fraction() * all.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [name, weight] of all) {
        left -= weight
        if (left < 0) return name
      }
      throw new TypeError('There is nothing to choose from')
    },
    bytes: (count) => Uint8Array.from({ length: count }, () => next() & 0xff),
    of: (name) => createChance(`${seed} ${name}`),
  }
}

/**
 * Creates the generator sfc32 of Chris Doty-Humphrey (PractRand), which is fast, and random enough
 * for choices.
 */
function sfc32(seed: Buffer): () => number {
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => seed.readInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ]
  return () => {
    const sum = (a + b + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
}
