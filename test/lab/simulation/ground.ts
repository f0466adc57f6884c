import { takeMachine } from './runs/machine.ts'
import type { Ground } from './runs/simulation.ts'
import { onSqlite } from './sqlite/data.ts'

/**
 * Replaces the machine of this process, and loads the gateway onto it. A process does this only
 * once. Its own work follows simulated time from then on.
 */
export async function layGround(): Promise<Ground> {
  takeMachine()
  const { createGateway } = await import('../../../mock-gateway/gateway.ts')
  // A run has no time in which a request could load them.
  await (await import('../../../mock-gateway/gateway/routes.ts')).loadAllRoutes()
  return { createGateway, newData: await onSqlite(createGateway) }
}
