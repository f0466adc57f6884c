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
export const INSTRUMENTS: Readonly<Record<string, Instrument>> = {
  abuse: { file: './abuse.ts', purpose: 'coverage-guided fuzzing of the gateway and the library' },
  against: {
    file: './against.ts',
    purpose: 'compatibility with another build, byte by byte',
    needsBuild: true,
  },
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
  image: { file: './image.ts', purpose: 'the container image: a payment and the health check' },
  mutants: { file: './mutants/run.ts', purpose: 'mutation testing' },
  nodes: {
    file: './nodes.ts',
    purpose: 'the oldest and the newest Node that is supported',
    needsBuild: true,
  },
  power: {
    file: './power.ts',
    purpose: 'simulated power loss at 500 crash points',
    needsBuild: true,
  },
  simulation: {
    file: './simulation/run.ts',
    purpose: '20,000 simulation runs with injected faults',
  },
  soak: { file: './soak.ts', purpose: 'steady payments for an hour' },
}

/** Returns a list with a line for each instrument. */
export const listInstruments = (): string =>
  Object.entries(INSTRUMENTS)
    .map(([name, { purpose }]) => `  ${name.padEnd(12)}${purpose}`)
    .join('\n')
