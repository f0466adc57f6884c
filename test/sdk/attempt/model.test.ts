import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isLong } from '../../helpers/some.ts'
import { useBank } from '../helpers/bank.ts'
import { Model } from './model/model.ts'
import { moves, settings } from './model/moves.ts'
import { World } from './model/world.ts'

useBank()

/** `SEED=7` tries others, `RUNS=1000` so many; a failure names its own, and the shortest list of moves that still fails. */
const SEED = Number(process.env.SEED ?? 1)
const RUNS = Number(process.env.RUNS ?? (isLong ? 10_000 : 50))

const seen = ({ log, sight, asked }: Model | World) => ({ log: [...log], sight, asked })

test('every order of events, throws and answers comes out as the model says', { timeout: 3_600_000 }, async () => {
  const lives = fc.asyncProperty(settings, fc.array(moves, { maxLength: 40, size: 'max' }), async (setting, list) => {
    const model = new Model(setting)
    const world = new World(setting)
    try {
      for (const move of list) {
        model.play(move)
        await world.play(move)
        expect(seen(world)).toEqual(seen(model))
      }
    } finally {
      world.end()
    }
  })
  await fc.assert(lives, { numRuns: RUNS, seed: SEED })
})
