import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { runSeeds } from './seeds.ts'

/** So many worlds in each run of all tests; `npm run test:simulation` runs 20,000. */
const SEEDS = 300

test(`of ${SEEDS} worlds each keeps what it must, whatever goes wrong in it`, { timeout: 600_000 }, async () => {
  const said = await runSeeds({ from: 1, count: SEEDS, workers: availableParallelism() })
  expect(said.flatMap(({ story }) => story ?? [])).toEqual([])
  expect(said).toHaveLength(SEEDS)
})

test('a seed is the same run to the letter, in whatever process', { timeout: 120_000 }, async () => {
  const [one, other] = [
    await runSeeds({ from: 1, count: 6, workers: 1 }),
    await runSeeds({ from: 1, count: 6, workers: 2 }),
  ]
  expect(other).toEqual(one)
  expect(new Set(one.map(({ digest }) => digest)).size).toBe(6)
})
