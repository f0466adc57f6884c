/** Bytes by which memory may be higher in the last third of a run than in the third before: warm-up is over by then. */
const MOST_GROWTH = { heapUsed: 4_000_000, rss: 40_000_000 } as const

type Memory = Readonly<Record<keyof typeof MOST_GROWTH, number>>

/**
 * How far memory rose from the middle third of the samples to the last, as means; a leak shows in it, while what is taken
 * once and kept does not.
 * @param samples at even distances; at least three
 * @returns bytes, negative when it fell
 */
export function growthOf(samples: readonly Memory[]): Memory {
  const third = Math.floor(samples.length / 3)
  const mean = (part: readonly Memory[], name: keyof Memory) =>
    part.reduce((sum, sample) => sum + sample[name], 0) / part.length
  const [middle, last] = [samples.slice(-2 * third, -third), samples.slice(-third)]
  const growth = (name: keyof Memory) => mean(last, name) - mean(middle, name)
  return { heapUsed: growth('heapUsed'), rss: growth('rss') }
}

/** What does not level off, one sentence each. */
export function rising(samples: readonly Memory[]): string[] {
  const growth = growthOf(samples)
  return (['heapUsed', 'rss'] as const)
    .filter((name) => growth[name] > MOST_GROWTH[name])
    .map((name) => `${name} rose by ${Math.round(growth[name])} bytes from the middle third of the run to the last`)
}
