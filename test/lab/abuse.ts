/**
 * `npm run lab -- abuse`: fuzzing. Sends 200,000 requests, most of them valid ones with a change,
 * through raw sockets to gateways on both databases, to their console and to their control API. It
 * also runs the library with mutated forms, settings and answers. Every request must get an answer
 * without a failure, and memory must level off. Requests that reach new code are mutated further,
 * and the end of the report shows how much of each folder was reached. `--seed 7` repeats a run,
 * `--requests 10000` makes a shorter run, `--target control` chooses one target, and `--unreached`
 * lists the code that no request reached.
 */
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import {
  FEASIBLE,
  type FuzzPlan,
  type FuzzReport,
  fuzz,
  type Sample,
} from '../gateway/abuse/fuzz.ts'
import { growthOf, MOST_GROWTH, rising } from '../gateway/abuse/levels-off.ts'
import { type Place, watch } from '../gateway/abuse/watched.ts'
import { startPostgres } from '../setup/postgres.ts'
import { scratchDatabaseOn } from '../setup/scratch-database.ts'
import { temporaryFolder } from '../setup/temporary.ts'

/** Targets, each with its share of the requests. */
const PLANS = {
  sqlite: { name: 'API and pages, on SQLite', share: 0.4, target: 'api' },
  postgres: { name: 'API and pages, on PostgreSQL', share: 0.25, target: 'api' },
  console: { name: 'The console, on SQLite', share: 0.15, target: 'console' },
  control: { name: 'The control API, on SQLite', share: 0.15, target: 'control' },
  library: { name: 'The library, in happy-dom', share: 0.05, target: undefined },
} as const

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '200000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    target: { type: 'string', multiple: true, default: Object.keys(PLANS) },
    unreached: { type: 'boolean', default: false },
  },
})
const requests = Number(values.requests)
const seed = Number(values.seed)
if (
  !(
    requests >= 1_000 &&
    Number.isSafeInteger(seed) &&
    values.target.every((target) => target in PLANS)
  )
) {
  const targets = Object.keys(PLANS).join('|')
  process.stderr.write(
    `Usage: npm run lab -- abuse [--requests <number, 1000 at least>] [--seed <number>] [--target ${targets}] [--unreached]\n`,
  )
  process.exit(2)
}

/** Number of progress lines for each target. */
const LINES = 20

/** Number of requests after which every call has succeeded at least once. */
const ENOUGH = 20_000

const print = (line: string) => void process.stdout.write(`${line}\n`)
const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

async function run(name: string, plan: Omit<FuzzPlan, 'seed'>): Promise<number> {
  const count = plan.requests
  print(`\n${name}: ${count} requests`)
  const start = performance.now()
  const seconds = () => `${Math.round((performance.now() - start) / 1000)} s`
  let next = count / LINES
  let said = 0
  const told = ({ sent, heapUsed, rss }: Sample, problems: readonly string[]) => {
    for (const problem of problems.slice(said)) print(`  ${problem}`)
    said = problems.length
    if (sent < next) return
    next += count / LINES
    print(
      `  ${seconds()}, ${sent} sent, ${reached.size} blocks, heap ${megabytes(heapUsed)}, rss ${megabytes(rss)}, ${said} problems`,
    )
  }
  const report = await fuzz({ ...plan, seed, guide: { watched: file, note }, told })
  const grown = (each: keyof typeof MOST_GROWTH) => megabytes(growthOf(report.samples, each))
  print(
    `  ${seconds()} in all; ${report.kept} requests reached something new; answers: ${inWords(report.answers)}`,
  )
  print(`  from the middle third to the last: heap ${grown('heapUsed')}, rss ${grown('rss')}`)
  for (const operation of report.done) done.add(operation)
  const problems = [...report.problems, ...rising(report.samples, MOST_GROWTH)]
  for (const problem of problems.slice(said)) print(`  ${problem}`)
  return problems.length
}

const inWords = (answers: FuzzReport['answers']) =>
  Object.entries(answers)
    .map(([status, count]) => `${count} ${status}`)
    .join(', ')

/**
 * Runs forms of the library with mutated settings, mark-up and answers. Its sources record the
 * reached code, as for mutation testing.
 */
function library(name: string, forms: number): number {
  print(`\n${name}: ${forms} forms`)
  const env = {
    ...process.env,
    MUTANTS: 'notes',
    TEST_REQUESTS: String(forms),
    TEST_SEED: String(seed),
  }
  const config = [
    '--config',
    'test/lab/mutants/vite.config.ts',
    '--project',
    'sdk',
    'test/sdk/mutated-forms.slow.test.ts',
  ]
  return spawnSync('vitest', ['run', ...config], { env, stdio: 'inherit' }).status ?? 1
}

/**
 * Paths of code that requests cannot reach: the command, the client, the test kit, and scripts of
 * browsers.
 */
const ELSEWHERE = /^mock-gateway\/(?:cli|client|testing)(?:\/|\.ts$)|\/scripts\//

/** Returns the folder of a source file, or the folder one level deeper for `web/`. */
const folderOf = ({ path }: Place) => /^[\w-]+\/(?:web\/)?[\w-]+/.exec(path)?.[0] ?? path

function tellReached(): void {
  const folders = Map.groupBy(counted, ([, place]) => folderOf(place))
  print(`\n${reached.size} of ${counted.length} blocks were reached, by folder:`)
  for (const [folder, blocks] of [...folders].toSorted()) {
    const of = blocks.filter(([block]) => reached.has(block)).length
    print(`  ${folder}: ${of} of ${blocks.length}`)
  }
  if (!values.unreached) return
  print('\nNo request reached')
  for (const [block, { path, line, text }] of counted)
    if (!reached.has(block)) print(`  ${path}:${line}  ${text}`)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

/** Calls that succeeded, and blocks that were reached. */
const done = new Set<string>()
const reached = new Set<number>()
const note = (blocks: readonly number[]) => {
  for (const block of blocks) if (!ELSEWHERE.test(places[block]?.path ?? '')) reached.add(block)
}

print(`Seed ${seed}: npm run lab -- abuse --seed ${seed} --requests ${requests}`)
const { places, ...watched } = watch(['mock-gateway'])
const counted = [...places.entries()].filter(([, { path }]) => !ELSEWHERE.test(path))
const folder = await mkdtemp(join(temporaryFolder(), 'mondido-watched-'))
const file = join(folder, 'sources.json')
await writeFile(file, JSON.stringify(watched))
let problems = 0
for (const [key, { name, share, target }] of Object.entries(PLANS)) {
  if (!values.target.includes(key)) continue
  const plan = { target, requests: Math.round(requests * share) }
  if (key === 'library') problems += library(name, plan.requests)
  else if (key !== 'postgres') problems += await run(name, plan)
  else {
    const server = await startPostgres()
    const { url, drop } = await scratchDatabaseOn(server.url)
    problems += await run(name, { ...plan, database: url })
    await drop()
    await server.stop()
  }
}
await rm(folder, { recursive: true })
if (values.target.some((name) => name !== 'library')) tellReached()
const undone =
  requests < ENOUGH || values.target.length < Object.keys(PLANS).length
    ? []
    : FEASIBLE.filter((operation) => !done.has(operation))
for (const operation of undone) print(`${operation} never succeeded`)
problems += undone.length
print(`\n${problems === 0 ? 'All were answered, and memory levels off' : `${problems} problems`}`)
process.exitCode = problems === 0 ? 0 : 1
