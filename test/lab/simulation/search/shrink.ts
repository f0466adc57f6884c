import type { Plan } from '../runs/plan.ts'
import { type Run, run } from '../runs/run.ts'
import type { Ground } from '../runs/simulation.ts'

/** Runs that may be spent on one that fails. */
const RUNS = 200

/**
 * Takes away from a plan what its failure does not need: clients, turns, faults, gateways. @returns
 * the smallest that fails alike
 */
export async function shrink(ground: Ground, failed: Run, runs = RUNS): Promise<Run> {
  let smallest = failed
  let left = runs
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

/** Plans with one thing less, those with much less first. */
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
