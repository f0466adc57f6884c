import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { CompiledQuery, QueryResult } from 'kysely'
import { createChance } from '../runs/chance.ts'
import type { Data } from '../runs/data.ts'
import type { CreateGateway } from '../runs/gateways.ts'
import { beginSimulation, runAs } from '../runs/machine.ts'
import { createScheduler } from '../runs/scheduler.ts'
import { createStore, newFolder } from './store.ts'
import { createWire, type Wire } from './wire.ts'

/**
 * Creates the tables that each run starts with, and returns a function that creates a file for each
 * run. Loads the replaced modules of the machine.
 */
export async function onSqlite(createGateway: CreateGateway): Promise<(seed: number) => Data> {
  const { SqliteExecutor } = await import('../../../../mock-gateway/storage/sqlite-executor.ts')
  let wire: Wire = (_query, run) => run()
  const own = SqliteExecutor.prototype.executeQuery
  SqliteExecutor.prototype.executeQuery = function <Row>(
    this: typeof SqliteExecutor.prototype,
    query: CompiledQuery,
  ) {
    return wire(
      query,
      (): Promise<QueryResult<Row>> =>
        own.call<typeof this, [CompiledQuery], Promise<QueryResult<Row>>>(this, query),
    )
  }
  const folder = newFolder()
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  process.once('SIGTERM', () => process.exit())
  const template = join(folder, 'template.db')
  const scheduler = createScheduler(runAs)
  beginSimulation({ scheduler, chance: createChance('template'), mailServer: async () => {} })
  const options = {
    database: template,
    ambient: { now: () => 0, randomBytes: createChance('template').bytes },
  }
  const gateway = await scheduler.until(createGateway(options))
  await scheduler.until(gateway.close())
  return (seed) => {
    const store = createStore(join(folder, `simulation-${seed}`), template)
    return {
      store,
      lay(parts) {
        wire = createWire(parts, store.flushed)
        return () => undefined
      },
      leaseMs: 16_000,
      isInjected: (error) => 'errcode' in error,
    }
  }
}
