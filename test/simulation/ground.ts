import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledQuery, QueryResult } from 'kysely'
import { newFolder } from './sqlite/store.ts'
import type { Wire } from './sqlite/wire.ts'
import { createChance } from './world/chance.ts'
import { beginWorld, runAs, takeMachine } from './world/machine.ts'
import { createScheduler } from './world/scheduler.ts'
import type { Ground } from './world/world.ts'

/**
 * Replaces the machine of this process, loads the gateway onto it, and makes the tables that worlds begin with. A process
 * does this once, and its own work goes by the world's time from then on.
 */
export async function layGround(): Promise<Ground> {
  takeMachine()
  const { createGateway } = await import('../../mock-gateway/gateway.ts')
  const { SqliteExecutor } = await import('../../mock-gateway/storage/sqlite-executor.ts')
  let wire: Wire = (_query, run) => run()
  const own = SqliteExecutor.prototype.executeQuery
  SqliteExecutor.prototype.executeQuery = function <Row>(this: typeof SqliteExecutor.prototype, query: CompiledQuery) {
    return wire(
      query,
      (): Promise<QueryResult<Row>> => own.call<typeof this, [CompiledQuery], Promise<QueryResult<Row>>>(this, query),
    )
  }
  const folder = newFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGTERM', () => process.exit())
  const template = join(folder, 'template.db')
  const scheduler = createScheduler(runAs)
  beginWorld({ scheduler, chance: createChance('template'), mailServer: async () => {} })
  const options = { database: template, ambient: { now: () => 0, randomBytes: createChance('template').bytes } }
  const gateway = await scheduler.until(createGateway(options))
  await scheduler.until(gateway.close())
  return {
    createGateway,
    folder,
    template,
    lay(laid) {
      wire = laid
    },
  }
}
