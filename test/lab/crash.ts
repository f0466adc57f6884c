/**
 * `npm run lab -- crash`: kills a gateway under load (kill -9), 20 times on each database, or
 * `--rounds 600 --on sqlite`, with new data after each 20 kills. After each kill every acknowledged
 * write must be stored completely, and nothing else. The webhook of every payment must arrive, and
 * only twice if a kill interrupted it. Other runs: `--deliveries 10000`: two gateways send
 * webhooks. `--pending 1000000`: due webhooks among many pending ones. `--charges 1000`: kills
 * during subscription charges. `--captures 100`: kills while captures wait for the bank (at least
 * 40 of them). `--servers 20`: kills of all PostgreSQL processes, with `fsync` on, while the
 * gateway runs. `--balanced 5000`: kills one of two gateways behind one address.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crash, crashServer } from '../gateway/process/crash.ts'
import { startDurablePostgres, startPostgres } from '../setup/postgres.ts'
import { scratchDatabaseOn } from '../setup/scratch-database.ts'
import { temporaryFolder } from '../setup/temporary.ts'

/** Tests that are short in `npm test`, by the option that runs them for longer. */
const LONG = {
  deliveries: { name: 'TEST_DELIVERIES', tests: ['test/gateway/races/due.test.ts'] },
  pending: {
    name: 'TEST_PENDING',
    tests: ['test/gateway/webhooks/pending.test.ts', '-t', 'webhook rule 32'],
  },
  charges: {
    name: 'TEST_CHARGES',
    tests: ['test/gateway/process/crash.test.ts', '-t', 'subscription charges'],
  },
  captures: {
    name: 'TEST_CAPTURES',
    tests: ['test/gateway/process/crash.test.ts', '-t', 'pending captures'],
  },
  balanced: {
    name: 'TEST_BALANCED',
    tests: ['test/gateway/process/balancer.test.ts', '-t', 'killed under load'],
  },
} as const
const number = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    rounds: number,
    on: { ...number, multiple: true },
    deliveries: number,
    pending: number,
    charges: number,
    captures: number,
    balanced: number,
    servers: number,
  },
})
const ROUNDS = 20
const rounds = Number(values.rounds ?? ROUNDS)
const { on = ['sqlite', 'postgres'], ...counts } = values
const isUsable =
  on.every((name) => ['sqlite', 'postgres'].includes(name)) &&
  Object.values(counts).every((value) => Number(value) >= 1)
if (!isUsable) {
  process.stderr.write(
    `Usage: npm run lab -- crash [--rounds <number>] [--on sqlite|postgres], or --${[...Object.keys(LONG), 'servers'].join(', --')} <number>\n`,
  )
  process.exit(2)
}
const asked = (Object.keys(LONG) as (keyof typeof LONG)[]).filter(
  (option) => values[option] !== undefined,
)
for (const option of asked) {
  const { name, tests } = LONG[option]
  process.exitCode ||= test(tests, { [name]: values[option] })
}
if (asked.length > 0) process.exit()

/**
 * Runs tests.
 * @returns the exit code of vitest
 */
function test(tests: readonly string[], form: NodeJS.ProcessEnv): number {
  const env = { ...process.env, ...form }
  return (
    spawnSync('vitest', ['run', '--project', 'gateway', ...tests], { env, stdio: 'inherit' })
      .status ?? 1
  )
}

/** Maximum number of answers in a round. */
const ANSWERS = 1_500

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Storage of a gateway: its flags, and a function that deletes it. */
type Place = readonly [flags: readonly string[], remove: () => Promise<void>]

/**
 * Kills gateways one after the other, each with its own data.
 * @returns true if no check failed
 */
async function run(name: string, newPlace: () => Promise<Place>): Promise<boolean> {
  print(`\n${name}: ${rounds} rounds`)
  const start = performance.now()
  const total = { kills: 0, answers: 0, came: 0, again: 0, underWay: 0 }
  const problems: string[] = []
  while (total.kills < rounds && problems.length === 0) {
    const [place, remove] = await newPlace()
    const lives = Math.min(ROUNDS, rounds - total.kills)
    const isLast = total.kills + lives === rounds
    const report = await crash(place, lives, ANSWERS, isLast)
    await remove()
    const { creates, captures, refunds } = report.acknowledged
    total.kills += report.rounds
    total.answers += creates + captures + refunds
    for (const key of ['came', 'again', 'underWay'] as const) total[key] += report.webhooks[key]
    problems.push(...report.problems)
    print(
      `  ${total.kills} kills, ${Math.round((performance.now() - start) / 1000)} s: ${total.answers} answers`,
    )
    print(
      `     ${total.came} webhooks came, ${total.again} again of ${total.underWay} that were under way at a kill`,
    )
  }
  for (const problem of problems) print(`  ${problem}`)
  print(
    `  ${problems.length === 0 ? 'nothing lost, nothing by halves, no phantom, every webhook came' : `${problems.length} problems`}`,
  )
  return problems.length === 0
}

/**
 * Kills the database servers.
 * @returns true if no check failed
 */
async function killServers(times: number): Promise<boolean> {
  const server = await startDurablePostgres()
  const { url } = await scratchDatabaseOn(server.url)
  const problems = await crashServer(
    ['--database', url],
    server.crash,
    times,
    300,
    ({ rounds: round, acknowledged }) => {
      const { creates, captures, refunds } = acknowledged
      print(`  ${round}: acknowledged ${creates} creates, ${captures} captures, ${refunds} refunds`)
    },
  )
  await server.stop()
  for (const problem of problems) print(`  ${problem}`)
  print(
    `  ${problems.length === 0 ? 'nothing lost, nothing by halves, no phantom' : `${problems.length} problems`}`,
  )
  return problems.length === 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.servers !== undefined) process.exit((await killServers(Number(values.servers))) ? 0 : 1)

const onSqlite = () =>
  run('SQLite', async () => {
    const folder = await mkdtemp(join(temporaryFolder(), 'mondido-crash-'))
    return [['--data', folder], () => rm(folder, { recursive: true, force: true })]
  })
async function onPostgres() {
  const server = await startPostgres()
  const isHeld = await run('PostgreSQL', async () => {
    const { url, drop } = await scratchDatabaseOn(server.url)
    return [['--database', url], drop]
  })
  await server.stop()
  return isHeld
}
const held = [
  !on.includes('sqlite') || (await onSqlite()),
  !on.includes('postgres') || (await onPostgres()),
]
const tables = ['test/gateway/process/crash.test.ts', '-t', 'while it creates its tables']
const whileMade = test(tables, {})
const whileWaiting = test(LONG.captures.tests, { [LONG.captures.name]: '40' })
process.exitCode = held.every(Boolean) ? whileMade || whileWaiting : 1
