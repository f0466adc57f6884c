/**
 * `npm run lab -- mutants`: mutation testing. Inserts one small fault at a time into the sources,
 * and runs the nearest tests. A mutant that does not compile is skipped. A mutant that no test
 * detects has survived. `--sample 100 --seed 7` chooses the number and the mutants, `--in
 * mock-gateway/payments` a folder, `--from 20 --to 40` a part of the sample, and `--workers 2` the
 * number of processes. `--notes` first records again which code each test reaches.
 */
import { type ChildProcess, fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { drawSeededBytes } from '../../../mock-gateway/domain/chance.ts'
import { startPostgres } from '../../setup/postgres.ts'
import { compiler } from './compiler.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import { NOTES, nearestTests, readNotes } from './nearest.ts'
import { MUTATED_MODULES, ROOT, sourcesBelow } from './sources.ts'
import type { Trial } from './worker.ts'

/** Milliseconds after which tests that hang because of a mutant count as failed. */
const TIME_LIMIT_MS = 180_000

const { values } = parseArgs({
  options: {
    sample: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    in: { type: 'string', multiple: true, default: [...MUTATED_MODULES] },
    from: { type: 'string', default: '0' },
    to: { type: 'string' },
    workers: { type: 'string', default: String(availableParallelism()) },
    notes: { type: 'boolean', default: false },
  },
})

const print = (line: string) => void process.stdout.write(`${line}\n`)

/** Folders whose tests run other programs, or compare the whole gateway with a document. */
const FAR = [
  'abuse',
  'against',
  'conformance',
  'documents',
  'examples',
  'package',
  'power',
  'process',
  'structure',
]

/** Runs all tests once, to record the blocks that each of them reaches. */
function takeNotes(): void {
  rmSync(NOTES, { recursive: true, force: true })
  const folders = globSync('test/{gateway/*,sdk}', { cwd: ROOT }).filter(
    (path) => !FAR.includes(basename(path)),
  )
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const flags = [
    '--config',
    'test/lab/mutants/vite.config.ts',
    '--project',
    'sdk',
    '--project',
    'rules',
    '--project',
    'gateway',
  ]
  const filters = folders.map((folder) => `${folder.replaceAll('\\', '/')}/`)
  const env = { ...process.env, MUTANTS: 'notes' }
  spawnSync(process.execPath, [vitest, 'run', ...flags, ...filters], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  })
}

const paths = sourcesBelow(values.in)
const all = paths.flatMap((path) => mutantsOf(path, readFileSync(ROOT + path, 'utf8')))

/** Returns a random number by which mutants are sorted for the sample. */
const drawn = (place: number) =>
  Buffer.from(drawSeededBytes(values.seed, place, 6)).readUIntBE(0, 6)
const sample = all
  .map((mutant, place) => ({ mutant, at: drawn(place) }))
  .toSorted((one, other) => one.at - other.at)
  .slice(0, Number(values.sample))
  .map(({ mutant }) => mutant)
  .slice(Number(values.from), values.to === undefined ? undefined : Number(values.to))

const FATES = ['refused', 'killed', 'timed out', 'survived'] as const
type Fate = (typeof FATES)[number]

const isRefused = compiler()

/** Tests the remaining mutants one after the other in a process. */
async function work(waiting: Mutant[]): Promise<void> {
  let worker: ChildProcess | undefined
  const tried = async (trial: Trial): Promise<Fate> => {
    worker ??= fork(join(ROOT, 'test/lab/mutants/worker.ts'), {
      cwd: ROOT,
      env,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    const answer = once(worker, 'message')
    worker.send(trial)
    const limit = new Promise<[]>((resolve) => setTimeout(resolve, TIME_LIMIT_MS, []).unref())
    const [isFound] = await Promise.race([answer, limit])
    if (isFound !== undefined) return isFound ? 'killed' : 'survived'
    // The tests of this mutant never end.
    worker.kill('SIGKILL')
    worker = undefined
    return 'timed out'
  }
  async function fateOf(mutant: Mutant): Promise<Fate> {
    if (isRefused(mutant)) return 'refused'
    for (const files of nearestTests(notes, mutant)) {
      const fate = await tried({ mutant, files })
      if (fate !== 'survived') return fate
    }
    return 'survived'
  }
  for (let mutant = waiting.shift(); mutant; mutant = waiting.shift()) {
    const fate = await fateOf(mutant)
    fates.set(mutant, fate)
    print(`${fate.padEnd(9)} ${shown(mutant)}`)
  }
  worker?.kill()
}

const shown = ({ path, line, before, after }: Mutant) =>
  `${path}:${line} ${[before, after].map((text) => text.replaceAll(/\s+/g, ' ').slice(0, 60)).join(' -> ')}`

if (values.notes || readNotes().length === 0) takeNotes()
const notes = readNotes()
const postgres = await startPostgres()
const env = { ...process.env, TEST_DATABASE_URL: postgres.url }
print(`${sample.length} of ${all.length} mutants of ${paths.length} files, seed ${values.seed}`)
const fates = new Map<Mutant, Fate>()
const waiting = [...sample]
await Promise.all(Array.from({ length: Number(values.workers) }, () => work(waiting)))
await postgres.stop()

const modules = Map.groupBy(
  sample,
  ({ path }) => values.in.find((folder) => path.startsWith(folder)) ?? path,
)
print('\n| Module | Tried | Refused | Killed | Timed out | Survived |\n|---|---|---|---|---|---|')
for (const [module, mutants] of [...[...modules].toSorted(), ['all', sample] as const]) {
  const counts = FATES.map((fate) => mutants.filter((mutant) => fates.get(mutant) === fate).length)
  print(`| ${[module, mutants.length, ...counts].join(' | ')} |`)
}
