/**
 * Runs seeds, one after the other, in a process whose machine is replaced: `node worker.ts <from> <step> <to>`. Prints a
 * line of JSON for each; of the first that fails also its story, and ends there.
 */
import { writeSync } from 'node:fs'
import { layGround } from './ground.ts'
import { shrink } from './search/shrink.ts'
import { storyOf } from './search/story.ts'
import { planOf } from './world/plan.ts'
import { run } from './world/run.ts'

/** What a worker says of a seed. */
export interface Said {
  readonly seed: number
  readonly digest: string
  readonly events: number
  /** Only of one that fails: the story of the smallest world that fails alike. */
  readonly story?: string
}

const [from, step, to] = process.argv.slice(2).map(Number) as [number, number, number]
const say = (said: Said) => void writeSync(1, `${JSON.stringify(said)}\n`)
const ground = await layGround()
for (let seed = from; seed <= to; seed += step) {
  const ran = await run(ground, planOf(seed))
  const { digest, events, violation } = ran
  if (violation) say({ seed, digest, events, story: storyOf(await shrink(ground, ran)) })
  else say({ seed, digest, events })
  if (violation) break
}
ground.leave()
process.exit()
