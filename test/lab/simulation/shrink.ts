import type { Plan } from './runs/plan.ts'
import { type Run, run } from './runs/run.ts'
import type { Ground } from './runs/simulation.ts'

/** Maximum number of runs to shrink a failing run. */
const RUNS = 200

/**
 * Shrinks the plan of a failing run: removes clients, turns, faults and gateways that the failure
 * does not need.
 * @returns the smallest plan that fails in the same way
 */
export async function shrink(ground: Ground, failed: Run): Promise<Run> {
  let smallest = failed
  let left = RUNS
  for (let again = true; again; ) {
    again = false
    for (const plan of smaller(smallest.plan)) {
      if (left-- <= 0) return smallest
      const tried = await run(ground, plan)
      if (tried.violation?.rule !== failed.violation?.rule) continue
      smallest = tried
      again = true
      break
    }
  }
  return smallest
}

/** Yields plans with one part removed or reduced, the largest reductions first. */
function* smaller(plan: Plan): Generator<Plan> {
  const { clients, rates, gateways, fixtures } = plan
  for (const client of clients)
    yield { ...plan, clients: clients.filter((each) => each !== client) }
  for (const [name, rate] of Object.entries(rates))
    if (rate > 0) yield { ...plan, rates: { ...rates, [name]: 0 } }
  if (fixtures > 0) yield { ...plan, fixtures: fixtures - 1 }
  if (gateways > 1) yield { ...plan, gateways: gateways - 1 }
  for (const client of clients)
    for (const turns of new Set([Math.floor(client.turns / 2), client.turns - 1]))
      if (turns > 0)
        yield {
          ...plan,
          clients: clients.map((each) => (each === client ? { ...client, turns } : each)),
        }
}

/** Maximum length of a line in characters, because answers can be long. */
const WIDTH = 260

/** Formats the report of a failed run: its faults, its events, and the broken rule. */
export function storyOf({ plan, story, violation }: Run): string {
  const { gateways, clients, rates, fixtures } = plan
  const faults = Object.entries(rates).filter(([, rate]) => rate > 0)
  return [
    `seed ${plan.seed} fails: ${violation?.rule}: ${violation?.message}`,
    `  gateways: ${gateways}`,
    `  fixtures: ${fixtures}`,
    `  clients:  ${clients.map(({ name, merchant, turns }) => `${name} of merchant ${merchant}, ${turns} turns`).join('; ')}`,
    `  faults:   ${faults.map(([name, rate]) => `${name} ${rate}`).join(', ') || 'none'}`,
    ...story.map(({ at, who, what }) =>
      `  ${(at / 1000).toFixed(3).padStart(9)} s  ${who}: ${what}`.slice(0, WIDTH),
    ),
  ].join('\n')
}
