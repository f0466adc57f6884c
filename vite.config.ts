import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

/** `quick` for `npm test`, `rest` for `npm run test:all`. Without it, vitest finds every test. */
const { TESTS } = process.env

/**
 * Tests of `npm run test:all`, which `npm test` leaves out: a folder, or the suffix `.slow.test.ts`
 * anywhere else.
 */
const REST = {
  sdk: ['test/sdk/**/*.slow.test.ts'],
  gateway: [
    'test/gateway/{abuse,against,check,package,power,process,races}/**/*.test.ts',
    'test/gateway/**/*.slow.test.ts',
  ],
  // A journey for each page, in `journeys.test.ts`, is in `npm test`.
  browser: ['test/browser/!(journeys).test.ts'],
  simulation: ['test/lab/simulation/*.test.ts'],
}

/** Returns the files of a project in this run: its tests, or the part of them in `REST`. */
function filesOf(tests: string[], rest: string[], exclude: string[] = []) {
  if (TESTS === 'rest') return { include: rest, exclude }
  return { include: tests, exclude: TESTS === 'quick' ? [...exclude, ...rest] : exclude }
}

/** Tests of pure functions, without a gateway and a database. */
const RULES = 'test/gateway/{domain,acquirer}/**/*.test.ts'

/** Test files that mock modules. Each file needs modules of its own. */
const MOCKED = 'test/gateway/**/*.mocked.test.ts'

/** Options of every project with gateway tests. */
const GATEWAY = {
  environment: 'node',
  setupFiles: ['test/setup/checked-fetch.ts'],
  // These packages import JSON without the attribute that Node requires, so Vite bundles them.
  server: { deps: { inline: [/@actions/] } },
}

/**
 * Test projects: `sdk` in happy-dom, `rules` in Node, `gateway` in Node, `simulation` with a
 * simulated clock, network and disk, `browser` in a real Chromium.
 */
export default defineConfig({
  test: {
    // One more than cores: many tests wait for a browser, a process or a timeout.
    maxWorkers: availableParallelism() + 1,
    // These limits only end tests that hang.
    testTimeout: 30_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 20_000 } },
    // `isolate: false` below: many files run faster than their modules load.
    projects: [
      {
        extends: true,
        test: {
          ...filesOf(['test/sdk/**/*.test.ts'], REST.sdk),
          name: 'sdk',
          // Its slow tests let each step of a payment fail, one after the other.
          testTimeout: TESTS === 'rest' ? 120_000 : 30_000,
          environment: 'happy-dom',
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...filesOf([RULES], [], [MOCKED]), name: 'rules', isolate: false },
      },
      {
        extends: true,
        test: {
          ...GATEWAY,
          ...filesOf(['test/gateway/**/*.test.ts'], REST.gateway, [RULES, MOCKED]),
          name: 'gateway',
          globalSetup: ['test/setup/postgres.ts'],
          // The others start programs, or build packages.
          testTimeout: TESTS === 'quick' ? 30_000 : 180_000,
          isolate: false,
        },
      },
      {
        extends: true,
        test: { ...GATEWAY, ...filesOf([MOCKED], []), name: 'gateway, mocked' },
      },
      {
        extends: true,
        test: {
          ...filesOf(REST.simulation, REST.simulation),
          name: 'simulation',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...filesOf(['test/browser/*.test.ts'], REST.browser),
          name: 'browser',
          // Longer than the limit of each action in a page, whose error names the action.
          testTimeout: 180_000,
          isolate: false,
        },
      },
    ],
  },
})
