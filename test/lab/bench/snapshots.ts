import { startPostgres } from '../../setup/postgres.ts'
import { scratchDatabaseOn } from '../../setup/scratch-database.ts'
import { median, type Plan } from './compare.ts'
import { print, printFigure } from './report.ts'
import { controlPost, plainCreate } from './requests.ts'
import { freshPath, type Server, startGatewayForTests } from './servers.ts'

/** Number of payments in a snapshot. */
const PAYMENTS = 1_000

/** Number of payments between a save and its restore, as in a test. */
const LATER_PAYMENTS = 10

/** Limit for saving and restoring a snapshot, in milliseconds. */
const LIMIT = { atMost: 100 }

/**
 * Measures saving and restoring 1,000 payments by one client: the time until the answer, and the
 * CPU time of the gateway. On PostgreSQL this does not include the database's CPU time.
 */
export async function measureSnapshots({ rounds }: Plan): Promise<void> {
  await measureOn('SQLite', await startGatewayForTests(1, { folder: freshPath() }), rounds)
  const postgres = await startPostgres()
  const scratch = await scratchDatabaseOn(postgres.url)
  await measureOn('PostgreSQL', await startGatewayForTests(1, { databaseUrl: scratch.url }), rounds)
  await scratch.drop()
  await postgres.stop()
}

async function measureOn(name: string, gateway: Server, rounds: number): Promise<void> {
  const { load } = gateway
  const pay = (requests: number) => load.run({ requests }, () => plainCreate())
  const timed = async (path: string) => {
    const before = gateway.cpu()
    const { p50 } = await load.run({ requests: 1 }, () => controlPost(path))
    return { time: p50, cpu: (gateway.cpu() - before) / 1000 }
  }
  const times = new Map<string, { time: number; cpu: number }[]>()
  const note = async (what: string, path: string) => {
    const took = await timed(path)
    times.set(what, [...(times.get(what) ?? []), took])
  }
  await pay(PAYMENTS)
  for (let round = 0; round < rounds; round += 1) {
    await note('saved', `/_control/snapshots?name=s${round}`)
    await pay(LATER_PAYMENTS)
    await note(`restored after ${LATER_PAYMENTS} payments`, `/_control/snapshots/s${round}/restore`)
    await load.run({ requests: 1 }, () => controlPost('/_control/reset'))
    await note('restored after a reset', `/_control/snapshots/s${round}/restore`)
  }
  await gateway.stop()
  print(`\nSnapshots of ${PAYMENTS} payments on ${name}, median of ${rounds}`)
  for (const [what, took] of times) {
    printFigure(what, median(took.map(({ time }) => time)), 'ms', LIMIT)
    printFigure('  CPU of the gateway', median(took.map(({ cpu }) => cpu)), 'ms')
  }
}
