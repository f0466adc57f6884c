/**
 * `npm run test:mutants`: puts small faults into the sources, one at a time, and runs the nearest tests. A fault that no
 * test notices has survived. `-- --sample 100 --seed 7` tries so many, drawn by the seed; `-- --in mock-gateway/payments`
 * those of a folder; `-- --from 20 --to 40` a part of the sample; `-- --workers 2` so many at a time.
 */
import { spawn } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { seededDraw } from '../../mock-gateway/domain/chance.ts'
import { startPostgres } from '../setup/postgres.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { nearestTests } from './nearest.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The core, and the library. */
const ROOMS = ['payments', 'domain', 'webhooks', 'subscriptions', 'requests'].map((room) => `mock-gateway/${room}`)
const SOURCES = [...ROOMS, 'sdk']

/** Tables of words, and what only people read: their faults are no faults of logic. */
const LEFT_OUT = /\/(?:dist|texts|catalogue|docs)\/|\.d\.ts$|\/version\.ts$|mock-gateway\/domain\/setting-words\.ts$/

/** Milliseconds after which tests that have a fault to wait for are taken for failed. */
const TIME_LIMIT_MS = 180_000

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', multiple: true, default: SOURCES },
    from: { type: 'string', default: '0' },
    to: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
  },
})

const print = (line: string) => void process.stdout.write(`${line}\n`)

const paths = values.in
  .flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: root }))
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !LEFT_OUT.test(path))
const all = paths.toSorted().flatMap((path) => mutantsOf(path, readFileSync(join(root, path), 'utf8')))

/** A number that stands for the place of a mutant in the draw. */
const drawn = (place: number) => Buffer.from(seededDraw(values.seed, place, 6)).readUIntBE(0, 6)
const sample = all
  .map((mutant, place) => ({ mutant, at: drawn(place) }))
  .toSorted((one, other) => one.at - other.at)
  .slice(0, Number(values.sample))
  .map(({ mutant }) => mutant)
  .slice(Number(values.from), values.to === undefined ? undefined : Number(values.to))

type Fate = 'killed' | 'survived' | 'timed out'

/** Whether tests fail with the fault in the sources. */
function fails(mutant: Mutant, project: string, files: readonly string[]): Promise<Fate> {
  const config = 'test/mutants/vite.config.ts'
  const flags = ['--config', config, '--project', project, '--bail', '1', '--maxWorkers', '1', '--reporter', 'dot']
  const env = { ...process.env, MUTANT: JSON.stringify(mutant), TEST_DATABASE_URL: postgres.url }
  return new Promise((resolve) => {
    const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs')
    const child = spawn(process.execPath, [vitest, 'run', ...flags, ...files], { cwd: root, env, stdio: 'ignore' })
    const limit = setTimeout(() => child.kill(), TIME_LIMIT_MS)
    child.once('close', (code) => {
      clearTimeout(limit)
      resolve(code === null ? 'timed out' : code === 0 ? 'survived' : 'killed')
    })
  })
}

async function fateOf(mutant: Mutant): Promise<Fate> {
  for (const { project, files } of nearestTests(root, mutant.path)) {
    const fate = await fails(mutant, project, files)
    if (fate !== 'survived') return fate
  }
  return 'survived'
}

const shown = ({ path, line, before, after }: Mutant) =>
  `${path}:${line} ${[before, after].map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 60)).join(' -> ')}`

const postgres = await startPostgres()
print(`${sample.length} of ${all.length} mutants of ${paths.length} files, seed ${values.seed}`)
const fates = new Map<Mutant, Fate>()
const waiting = [...sample]
async function work(): Promise<void> {
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const fate = await fateOf(mutant)
    fates.set(mutant, fate)
    print(`${fate.padEnd(9)} ${shown(mutant)}`)
  }
}
await Promise.all(Array.from({ length: Number(values.workers) }, work))
await postgres.stop()

const rooms = Map.groupBy(sample, ({ path }) => values.in.find((folder) => path.startsWith(folder)) ?? path)
print('\n| Room | Mutants | Killed | Survived | % |\n|---|---|---|---|---|')
for (const [room, mutants] of [...[...rooms].toSorted(), ['all', sample] as const]) {
  const survived = mutants.filter((mutant) => fates.get(mutant) === 'survived').length
  const killed = mutants.length - survived
  print(`| ${room} | ${mutants.length} | ${killed} | ${survived} | ${((100 * killed) / mutants.length).toFixed(0)} |`)
}
