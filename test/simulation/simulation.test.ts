import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { isLong } from '../helpers/some.ts'
import { FAULTS } from './put-back/faults.ts'
import { runSeeds } from './seeds.ts'

/** So many worlds in each run of all tests, and in the long form; `npm run test:simulation` runs 20,000. */
const SEEDS = isLong ? 300 : 25

/** Found late: `TEST_FORM=long vitest run --project simulation` looks for it, as for the others. */
const FOUND_LATE = ['clock answers early']
const faults = Object.entries(FAULTS).filter(([fault]) => isLong || !FOUND_LATE.includes(fault))

test(`of ${SEEDS} worlds each keeps what it must, whatever goes wrong in it`, { timeout: 600_000 }, async () => {
  const said = await runSeeds({ from: 1, count: SEEDS, workers: availableParallelism() })
  expect(said.flatMap(({ rule, story }) => (rule === undefined ? [] : [story ?? rule]))).toEqual([])
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

describe('a simulation finds what was put back', () => {
  test.each(faults)('%s', { timeout: 600_000 }, async (fault, { breaks }) => {
    const said = await runSeeds({ from: 1, count: 2_000, workers: availableParallelism(), fault, tells: false })
    const [found] = said.flatMap(({ rule }) => rule ?? [])
    expect(breaks).toContain(found)
  })
})
