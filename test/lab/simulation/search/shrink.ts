import type { Plan } from '../runs/plan.ts'
import { type Run, run } from '../runs/run.ts'
import type { Ground } from '../runs/simulation.ts'

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
