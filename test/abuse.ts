/**
 * `npm run test:abuse`: sends 200,000 requests, valid ones with something changed, through raw sockets to gateways on both
 * databases, and a tenth as many to the console. Every one has to be answered, none by a failure, and memory has to level
 * off. `-- --seed 7` repeats a run, `-- --requests 10000` makes a shorter one.
 */
import { spawnSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { FEASIBLE, type FuzzReport, fuzz, type Sample } from './gateway/abuse/fuzz.ts'
import { growthOf, MOST_GROWTH, rising } from './gateway/abuse/levels-off.ts'
import { startPostgres } from './setup/postgres.ts'
import { scratchDatabaseOn } from './setup/scratch-database.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (!(requests >= 1_000 && Number.isSafeInteger(seed))) {
  process.stderr.write('Usage: npm run test:abuse -- [--requests <number, 1000 at least>] [--seed <number>]\n')
  process.exit(2)
}

/** Lines on the screen for each database. */
const LINES = 20

/** Requests with which every call that can succeed does so at least once. */
const ENOUGH = 20_000

const print = (line: string) => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function run(name: string, count: number, database?: string): Promise<number> {
  print(`\n${name}: ${count} requests`)
  const start = performance.now()
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`
  let next = count / LINES
  const told = ({ sent, heapUsed, rss }: Sample, problems: number) => {
    if (sent < next) return
    next += count / LINES
    print(`  ${seconds()}, ${sent} sent, heap ${megabytes(heapUsed)}, rss ${megabytes(rss)}, ${problems} problems`)
  }
  const report = await fuzz({ database, requests: count, seed, told })
  const grown = (name: keyof typeof MOST_GROWTH) => megabytes(growthOf(report.samples, name))
  print(`  ${seconds()} in all; answers: ${inWords(report.answers)}`)
  print(`  from the middle third to the last: heap ${grown('heapUsed')}, rss ${grown('rss')}`)
  for (const operation of report.done) done.add(operation)
  const problems = [...report.problems, ...rising(report.samples, MOST_GROWTH)]
  for (const problem of problems) print(`  ${problem}`)
  return problems.length
}

const inWords = (answers: FuzzReport['answers']) =>
  Object.entries(answers)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Calls that succeeded. */
const done = new Set<string>()

print(`Seed ${seed}: npm run test:abuse -- --seed ${seed} --requests ${requests}`)
let problems = await run('SQLite', requests * 0.6)
const server = await startPostgres()
const { url, drop } = await scratchDatabaseOn(server.url)
problems += await run('PostgreSQL', requests * 0.4, url)
await drop()
await server.stop()
print('\nThe console, on SQLite in memory')
const form = { TEST_REQUESTS: String(Math.ceil(requests / 20)), TEST_SEED: String(seed) }
const ofConsole = ['run', '--project', 'gateway', 'test/gateway/abuse/console-fuzz.test.ts']
problems += spawnSync('vitest', ofConsole, { env: { ...process.env, ...form }, stdio: 'inherit' }).status ?? 1
const undone = requests < ENOUGH ? [] : FEASIBLE.filter((operation) => !done.has(operation))
for (const operation of undone) print(`${operation} never succeeded`)
problems += undone.length
print(`\n${problems === 0 ? 'All were answered, and memory levels off' : `${problems} problems`}`)
process.exitCode = problems === 0 ? 0 : 1
