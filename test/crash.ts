/**
 * `npm run test:crash`: kills a gateway under load (kill -9), 20 times on each database, or `-- --rounds 40`. After each
 * time everything that was acknowledged has to be there, nothing by halves, and nothing that nobody sent; every payment's
 * webhook has to have come, and again only if it was being sent at a kill. Instead, `-- --deliveries 10000` lets two
 * gateways send so many webhooks, and `-- --pending 1000000` looks for what is due among so many, `-- --charges 1000` kills
 * the gateway while it charges subscriptions so often, `-- --captures 100` while captures wait for the bank (40 of them in
 * any case), `-- --servers 20` kills PostgreSQL itself, all its processes, with `fsync` on, while the gateway goes on,
 * `-- --balanced 5000` kills one of two behind one address, and `-- --histories 200` goes through so many lives
 * of subscriptions.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { crash, crashServer } from './gateway/process/crash.ts'
import { startDurablePostgres, startPostgres } from './setup/postgres.ts'
import { scratchDatabaseOn } from './setup/scratch-database.ts'

/** Long forms of tests that are short inside `npm test`, by their option. */
const LONG = {
  deliveries: { name: 'TEST_DELIVERIES', tests: ['test/gateway/races/due.test.ts'] },
  pending: { name: 'TEST_PENDING', tests: ['test/gateway/webhooks/life.test.ts', '-t', 'webhook rule 32'] },
  charges: { name: 'TEST_CHARGES', tests: ['test/gateway/process/charges.test.ts'] },
  captures: { name: 'TEST_CAPTURES', tests: ['test/gateway/process/pending-capture.test.ts'] },
  balanced: { name: 'TEST_BALANCED', tests: ['test/gateway/process/balancer.test.ts', '-t', 'killed under load'] },
  histories: { name: 'TEST_HISTORIES', tests: ['test/gateway/subscriptions/sums.test.ts'] },
} as const
const number = { type: 'string' } as const
const { values } = parseArgs({
  options: {
    rounds: number,
    deliveries: number,
    pending: number,
    charges: number,
    captures: number,
    balanced: number,
    histories: number,
    servers: number,
  },
})
const rounds = Number(values.rounds ?? 20)
if (Object.values(values).some((value) => !(Number(value) >= 1))) {
  process.stderr.write(
    `Usage: npm run test:crash -- [--rounds <number>], or --${[...Object.keys(LONG), 'servers'].join(', --')} <number>\n`,
  )
  process.exit(2)
}
const asked = (Object.keys(LONG) as (keyof typeof LONG)[]).filter((option) => values[option] !== undefined)
for (const option of asked) {
  const { name, tests } = LONG[option]
  process.exitCode ||= test(tests, { [name]: values[option] })
}
if (asked.length > 0) process.exit()

/** @returns the exit code of vitest */
function test(tests: readonly string[], form: NodeJS.ProcessEnv): number {
  const env = { ...process.env, ...form }
  return spawnSync('vitest', ['run', '--project', 'gateway', ...tests], { env, stdio: 'inherit' }).status ?? 1
}

/** Answers of a round, at most. */
const ANSWERS = 1_500

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** @returns whether nothing was wrong */
async function run(name: string, place: readonly string[]): Promise<boolean> {
  print(`\n${name}: ${rounds} rounds`)
  const start = performance.now()
  const { problems } = await crash(place, rounds, ANSWERS, true, ({ rounds: round, acknowledged, webhooks }) => {
    const seconds = Math.round((performance.now() - start) / 1000)
    const { creates, captures, refunds } = acknowledged
    print(`  ${round}, ${seconds} s: acknowledged ${creates} creates, ${captures} captures, ${refunds} refunds`)
    print(
      `     ${webhooks.came} webhooks came, ${webhooks.again} again of ${webhooks.underWay} that were under way at a kill`,
    )
  })
  for (const problem of problems) print(`  ${problem}`)
  print(
    `  ${problems.length === 0 ? 'nothing lost, nothing by halves, no phantom, every webhook came' : `${problems.length} problems`}`,
  )
  return problems.length === 0
}

/** @returns whether nothing was wrong */
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
  print(`  ${problems.length === 0 ? 'nothing lost, nothing by halves, no phantom' : `${problems.length} problems`}`)
  return problems.length === 0
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

if (values.servers !== undefined) process.exit((await killServers(Number(values.servers))) ? 0 : 1)

const folder = await mkdtemp(join(tmpdir(), 'mondido-crash-'))
const onSqlite = await run('SQLite', ['--data', folder])
await rm(folder, { recursive: true, force: true })
const server = await startPostgres()
const { url, drop } = await scratchDatabaseOn(server.url)
const onPostgres = await run('PostgreSQL', ['--database', url])
await drop()
await server.stop()
const tables = ['test/gateway/process/crash.test.ts', '-t', 'while it makes its tables']
const whileMade = test(tables, { TEST_FORM: 'long' })
const whileWaiting = test(LONG.captures.tests, { [LONG.captures.name]: '40' })
process.exitCode = onSqlite && onPostgres ? whileMade || whileWaiting : 1
