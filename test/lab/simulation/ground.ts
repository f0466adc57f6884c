import { onPostgres, type Server } from './postgres/data.ts'
import { takeMachine } from './runs/machine.ts'
import type { Ground } from './runs/simulation.ts'
import { onSqlite } from './sqlite/data.ts'

/**
 * Replaces the machine of this process, and loads the gateway onto it. A process does this only
 * once. Its own work follows simulated time from then on.
 * @param server undefined: runs use SQLite
 */
export async function layGround(server?: Server): Promise<Ground> {
  const newData = server && onPostgres(server)
  takeMachine()
  const { createGateway } = await import('../../../mock-gateway/gateway.ts')
  // A run has no time in which a request could load them.
  await (await import('../../../mock-gateway/gateway/routes.ts')).loadAllRoutes()
  return { createGateway, newData: newData ?? (await onSqlite(createGateway)) }
}
