/**
 * Runs seeds, one after the other, in a process whose machine is replaced. Prints a line of JSON for each, and ends with
 * the first that fails.
 */
import { writeSync } from 'node:fs'
import { layGround } from './ground.ts'
import type { Server } from './postgres/data.ts'
import { putBack } from './reintroduced-bugs/load.ts'
import { planOf } from './runs/plan.ts'
import { type Run, run } from './runs/run.ts'
import { shrink } from './search/shrink.ts'
import { storyOf } from './search/story.ts'

/** What a worker is given, as JSON. */
export interface Work {
  readonly from: number
  readonly step: number
  readonly to: number
  /** Turns that each client has, at most. Undefined: all of its plan. */
  readonly turns?: number | undefined
  /** Undefined: worlds have SQLite. */
  readonly server?: Server | undefined
  /** A fault that is put back into the gateways. */
  readonly fault?: string | undefined
  /** Whether what fails is made smaller, and told. */
  readonly tells: boolean
}

/** What a worker says of a seed. */
export interface Said {
  readonly seed: number
  readonly digest: string
  readonly events: number
  /** The rule that is broken. */
  readonly rule?: string
  /** What is seen, and the story of the smallest world that fails alike. */
  readonly story?: string
}

/** A world on PostgreSQL takes ten times as long: a failure is made smaller with fewer. */
const SLOW_RUNS = 30

const { from, step, to, turns, server, fault, tells }: Work = JSON.parse(process.argv[2] ?? '')
const say = (said: Said) => void writeSync(1, `${JSON.stringify(said)}\n`)
if (fault !== undefined) putBack(fault)
const ground = await layGround(server)
for (let seed = from; seed <= to; seed += step) {
  const ran = await run(ground, planOf(seed, turns))
  const { digest, events, violation } = ran
  say({ seed, digest, events, ...(violation && (await broken(ran, violation.rule))) })
  if (violation) break
}
process.exit()

async function broken(ran: Run, rule: string): Promise<Pick<Said, 'rule' | 'story'>> {
  return { rule, ...(tells && { story: storyOf(await shrink(ground, ran, server && SLOW_RUNS), server) }) }
}
