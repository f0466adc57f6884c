import { onPostgres, type Server } from './postgres/data.ts'
import { takeMachine } from './runs/machine.ts'
import type { Ground } from './runs/simulation.ts'
import { onSqlite } from './sqlite/data.ts'

/**
 * Replaces the machine of this process, and loads the gateway onto it. A process does this once,
 * and its own work goes by the run's time from then on.
 * @param server undefined: runs have SQLite
 */
export async function layGround(server?: Server): Promise<Ground> {
  const newData = server && onPostgres(server)
  takeMachine()
  const { createGateway } = await import('../../../mock-gateway/gateway.ts')
  return { createGateway, newData: newData ?? (await onSqlite(createGateway)) }
}
