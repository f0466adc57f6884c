/**
 * Runs seeds, one after the other, in a process with a replaced machine. Prints a line of JSON for
 * each, and ends after the first failure.
 */
import { writeSync } from 'node:fs'
import { takeMachine } from './runs/machine.ts'
import { planOf } from './runs/plan.ts'
import { type Run, run } from './runs/run.ts'
import type { Ground } from './runs/simulation.ts'
import { shrink, storyOf } from './shrink.ts'
import { onSqlite } from './sqlite/data.ts'

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

/**
 * Replaces the machine of this process, and loads the gateway onto it. A process does this only
 * once. Its own work follows simulated time from then on.
 */
async function layGround(): Promise<Ground> {
  takeMachine()
  const { createGateway } = await import('../../../mock-gateway/gateway.ts')
  // A run has no time in which a request could load them.
  await (await import('../../../mock-gateway/gateway/routes.ts')).loadAllRoutes()
  return { createGateway, newData: await onSqlite(createGateway) }
}
