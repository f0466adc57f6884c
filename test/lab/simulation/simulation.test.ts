import { availableParallelism } from 'node:os'
import { describe, expect, test } from 'vitest'
import { runSeeds } from './seeds.ts'
import type { Said } from './worker.ts'

/** Number of simulation runs. `npm run lab -- simulation` has 20,000. */
const SEEDS = 20

/** Number of turns. Short runs cover more kinds of plans in the same time. */
const turns = 3

/** Number of seeds that two processes run, to compare the runs. */
const AGAIN = 3

const workers = availableParallelism()

describe('simulation runs', () => {
  let one: readonly Said[]
  let other: readonly Said[]

  test(`the gateway follows all rules in runs of ${SEEDS} seeds, whatever fails in them`, {
    timeout: 600_000,
  }, async () => {
    const half = SEEDS / 2
    const each = Math.ceil(workers / 2)
    ;[one, other] = await Promise.all([
      runSeeds({ from: 1, count: half + AGAIN, workers: each, turns }),
      runSeeds({ from: half + 1, count: half, workers: each, turns }),
    ])
    const said = [...one, ...other]
    expect(said.flatMap(({ rule, story }) => (rule === undefined ? [] : [story ?? rule]))).toEqual(
      [],
    )
    expect(said).toHaveLength(SEEDS + AGAIN)
  })

  test('runs of one seed are identical, in every process', () => {
    const again = other.slice(0, AGAIN)
    expect(one.slice(-AGAIN)).toEqual(again)
    expect(new Set(again.map(({ digest }) => digest)).size).toBe(AGAIN)
  })
})
