import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import pg from 'pg'
import { DEFAULT_MERCHANT } from '../../../mock-gateway/merchants/seed.ts'
import { ask, logInAt } from '../../gateway/web/console/listener.ts'
import { startPostgres } from '../../setup/postgres.ts'
import { scratchDatabaseOn } from '../../setup/scratch-database.ts'
import { median, type Plan } from './compare.ts'
import { HOME } from './console.ts'
import { AT_ONCE, fill, openToFill } from './fill.ts'
import { print } from './report.ts'
import { listTen, plainCreate, readOne } from './requests.ts'
import { freshPath, type Server, startGateway, startGatewayOn } from './servers.ts'

/** Number of requests of one client for each figure. */
const REQUESTS = 100

/** Number of creates and reads before the first figure, because code is slower at first. */
const WARM_UP = 1_000

/** Database that is filled while its gateway is stopped. */
interface Place {
  readonly name: string
  readonly target: string
  start(): Promise<Server>
  /** Returns the size of the whole database in bytes. */
  bytes(): Promise<number>
}

/** Requests that are measured at every size. */
const ASKED: Readonly<Record<string, (size: number) => () => string>> = {
  create: () => plainCreate,
  get: readOne,
  'list of ten': () => () => listTen(),
  'filter by payment_ref': (size) => () =>
    listTen(`/v1/transactions?limit=10&filter[payment_ref]=filled-${size - 1}`),
  'total of a filter that nearly all match': () => () =>
    listTen('/v1/transactions?limit=10&filter[status]=approved'),
}

/**
 * Measures which requests become slower when a gateway has many payments.
 * @param on the only database to measure; default: both
 */
export async function measureRows(plan: Plan, on?: string): Promise<void> {
  if (on !== 'postgres') await measureOnSqlite(plan)
  if (on !== 'sqlite') await measureOnPostgres(plan)
}

async function measureOnSqlite(plan: Plan): Promise<void> {
  const folder = freshPath()
  await measureOn(plan, {
    name: 'SQLite',
    target: join(folder, 'gateway.db'),
    start: () => startGateway(1, folder),
    bytes: async () =>
      readdirSync(folder)
        .map((file) => statSync(join(folder, file)))
        .reduce((sum, { size }) => sum + size, 0),
  })
}

async function measureOnPostgres(plan: Plan): Promise<void> {
  const postgres = await startPostgres()
  const scratch = await scratchDatabaseOn(postgres.url)
  await measureOn(plan, {
    name: 'PostgreSQL',
    target: scratch.url,
    start: () => startGatewayOn(1, scratch.url),
    async bytes() {
      const client = new pg.Client({ connectionString: scratch.url })
      await client.connect()
      const { rows } = await client.query('select pg_database_size(current_database()) as bytes')
      await client.end()
      return Number(rows[0].bytes)
    },
  })
  await scratch.drop()
  await postgres.stop()
}

async function measureOn(plan: Plan, place: Place): Promise<void> {
  const first = await place.start()
  await first.load.run({ requests: 10 }, () => plainCreate())
  await first.stop()
  const figures = new Map<string, string[]>()
  for (const size of plan.sizes) {
    const database = await openToFill(place.target)
    for (let part = AT_ONCE; part < size; part += AT_ONCE) await fill(database, part)
    await fill(database, size)
    await database.close()
    for (const [what, figure] of await measureAt(plan, place, size))
      figures.set(what, [...(figures.get(what) ?? []), figure])
  }
  print(`\n${place.name}, one client: median time (CPU of the gateway) of a request`)
  print(`| Payments | ${plan.sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`)
  print(`|---|${'---|'.repeat(plan.sizes.length)}`)
  for (const [what, row] of figures) print(`| ${what} | ${row.join(' | ')} |`)
}

async function measureAt(plan: Plan, place: Place, size: number): Promise<Map<string, string>> {
  const figures = new Map<string, string>()
  const bytes = await place.bytes()
  const begun = performance.now()
  const gateway = await place.start()
  await gateway.load.run({ requests: 1 }, () => plainCreate())
  const start = `${(performance.now() - begun).toFixed(0)} ms (${(gateway.cpu() / 1000).toFixed(0)} ms)`
  for (const next of [() => plainCreate(), readOne(10), () => listTen()])
    await gateway.load.run({ requests: WARM_UP }, next)
  for (const [what, nextAt] of Object.entries(ASKED)) {
    const next = nextAt(size)
    const samples = []
    for (let round = 0; round < plan.rounds; round += 1) {
      const before = gateway.cpu()
      const { p50, answers } = await gateway.load.run({ requests: REQUESTS }, next)
      samples.push({ p50, cpu: (gateway.cpu() - before) / 1000 / answers })
    }
    figures.set(what, timeAndCpu(samples))
  }
  figures.set('overview of the console', timeAndCpu(await overviews(plan, gateway)))
  figures.set('start to first payment', start)
  figures.set('disk', `${(bytes / 1e6).toFixed(0)} MB`)
  await gateway.stop()
  return figures
}

type Figure = { readonly p50: number; readonly cpu: number }

const timeAndCpu = (samples: readonly Figure[]): string =>
  `${median(samples.map(({ p50 }) => p50)).toFixed(2)} ms (${median(samples.map(({ cpu }) => cpu)).toFixed(2)})`

async function overviews(plan: Plan, gateway: Server): Promise<Figure[]> {
  const url = `http://localhost:${gateway.port}`
  const cookie = await logInAt(url, String(DEFAULT_MERCHANT.id), DEFAULT_MERCHANT.password)
  const samples: Figure[] = []
  for (let turn = 0; turn <= plan.rounds * 4; turn += 1) {
    const [begun, before] = [performance.now(), gateway.cpu()]
    await text(await ask(url + HOME, cookie))
    samples.push({ p50: performance.now() - begun, cpu: (gateway.cpu() - before) / 1000 })
  }
  return samples.slice(1)
}
