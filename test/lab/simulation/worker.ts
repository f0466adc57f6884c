/**
 * Runs seeds, one after the other, in a process with a replaced machine. Prints a line of JSON for
 * each, and ends after the first failure.
 */
import { writeSync } from 'node:fs'
import { layGround } from './ground.ts'
import { planOf } from './runs/plan.ts'
import { type Run, run } from './runs/run.ts'
import { shrink } from './search/shrink.ts'
import { storyOf } from './search/story.ts'

/** Input of a worker, as JSON. */
export interface Work {
  readonly from: number
  readonly step: number
  readonly to: number
  /** Maximum number of turns of each client. Undefined: all turns of the plan. */
  readonly turns?: number | undefined
}

/** Result of a worker for a seed. */
export interface Said {
  readonly seed: number
  readonly digest: string
  readonly events: number
  /** Name of the broken rule. */
  readonly rule?: string
  /** Violation, and timeline of the smallest run that fails in the same way. */
  readonly story?: string
}

const { from, step, to, turns }: Work = JSON.parse(process.argv[2] ?? '')
const say = (said: Said) => void writeSync(1, `${JSON.stringify(said)}\n`)
const ground = await layGround()
for (let seed = from; seed <= to; seed += step) {
  const ran = await run(ground, planOf(seed, turns))
  const { digest, events, violation } = ran
  say({ seed, digest, events, ...(violation && (await broken(ran, violation.rule))) })
  if (violation) break
}
process.exit()

async function broken(ran: Run, rule: string): Promise<Pick<Said, 'rule' | 'story'>> {
  return { rule, story: storyOf(await shrink(ground, ran)) }
}
