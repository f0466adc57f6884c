import fc from 'fast-check'
import { expect, test } from 'vitest'
import { useBank } from '../helpers/bank.ts'
import { Model } from './model/model.ts'
import { moves, settings } from './model/moves.ts'
import { World } from './model/world.ts'

useBank()

/**
 * `SEED=7` uses other seeds, `RUNS=1000` another number of runs. A failure prints its seed, and the
 * shortest list of moves with the same failure.
 */
const SEED = Number(process.env.SEED ?? 1)
const RUNS = Number(process.env.RUNS ?? 50)

type Seen = ReturnType<typeof seen>

const seen = ({ log, sight, asked }: Model | World) => ({ log: [...log], sight, asked })

/**
 * Describes the first difference. While a failing list of moves is shortened, only the same
 * difference counts.
 */
function differenceOf(is: Seen, due: Seen): string | undefined {
  for (let at = 0; at < Math.max(is.log.length, due.log.length); at += 1)
    if (is.log[at] !== due.log[at]) return `${is.log[at]} in the place of ${due.log[at]}`
  if (is.sight !== due.sight) return `${is.sight} is seen in the place of ${due.sight}`
  return String(is.asked) === String(due.asked) ? undefined : 'what is asked'
}

test('the library has the same result as the model after random events, exceptions and answers', {
  timeout: 3_600_000,
}, async () => {
  let found: string | undefined
  const lives = fc.asyncProperty(
    settings,
    fc.array(moves, { maxLength: 40, size: 'max' }),
    async (setting, list) => {
      const model = new Model(setting)
      const world = new World(setting)
      try {
        for (const move of list) {
          model.play(move)
          await world.play(move)
          const difference = differenceOf(seen(world), seen(model))
          found ??= difference
          if (difference === undefined) continue
          if (difference !== found) return
          expect(seen(world)).toEqual(seen(model))
        }
      } finally {
        world.end()
      }
    },
  )
  await fc.assert(lives, { numRuns: RUNS, seed: SEED })
})
