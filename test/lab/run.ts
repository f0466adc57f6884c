/** `npm run lab -- <name> [arguments]`: runs one instrument; without a name it lists them. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** Program that measures or tests for longer than `npm test`. */
interface Instrument {
  /** Module of the instrument, relative to this folder. */
  readonly file: string
  /** The purpose of the run, in one line. */
  readonly purpose: string
  /** True if the instrument needs the files of `npm run build`. */
  readonly needsBuild?: boolean
}

/** Instruments of `npm run lab` by name. */
const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  abuse: { file: './abuse.ts', purpose: 'fuzzing of the gateway and the library' },
  against: { file: './against.ts', purpose: 'compatibility with another build', needsBuild: true },
  bench: {
    file: './bench/run.ts',
    purpose: 'benchmarks, each compared with a reference',
    needsBuild: true,
  },
  browser: {
    file: './browser.ts',
    purpose: 'the full browser tests, in Chromium or Firefox',
    needsBuild: true,
  },
  crash: { file: './crash.ts', purpose: 'kills under load, on both databases' },
  expressions: {
    file: './expressions.ts',
    purpose: 'regular expressions that take more than linear time',
  },
  image: { file: './image.ts', purpose: 'the container image: a payment and the health check' },
  mutants: { file: './mutants/run.ts', purpose: 'mutation testing' },
  nodes: {
    file: './nodes.ts',
    purpose: 'the oldest and the newest Node that is supported',
    needsBuild: true,
  },
  power: { file: './power.ts', purpose: 'power loss at crash points', needsBuild: true },
  simulation: {
    file: './simulation/run.ts',
    purpose: '20,000 simulation runs with injected faults',
  },
  soak: { file: './soak.ts', purpose: 'steady payments for an hour' },
}

/** Returns a list with a line for each instrument. */
const listInstruments = (): string =>
  Object.entries(INSTRUMENTS)
    .map(([name, { purpose }]) => `  ${name.padEnd(12)}${purpose}`)
    .join('\n')

const [name = ''] = process.argv.slice(2)
const instrument = Object.hasOwn(INSTRUMENTS, name) ? INSTRUMENTS[name] : undefined
if (!instrument) {
  process.stdout.write(`Usage: npm run lab -- <name> [arguments]\n\n${listInstruments()}\n`)
  process.exit(name === '' ? 0 : 2)
}
if (instrument.needsBuild) {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const { status } = spawnSync('npm run --silent build', {
    cwd: root,
    shell: true,
    stdio: 'inherit',
  })
  if (status !== 0) process.exit(status ?? 1)
}
// Moves the arguments to the position where a separate program would read them.
process.argv.splice(1, 2, fileURLToPath(new URL(instrument.file, import.meta.url)))
await import(instrument.file)
