import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

/**
 * Retries of a failed test. `npm test` allows one for tests with browsers and processes, and lists
 * the flaky tests at its end.
 */
const RETRY = { retry: Number(process.env.TEST_RETRY ?? 0) }

/** Options of every project with gateway tests. */
const GATEWAY = {
  ...RETRY,
  environment: 'node',
  setupFiles: ['test/setup/checked-fetch.ts'],
  // These packages import JSON without the attribute that Node requires, so Vite bundles them.
  server: { deps: { inline: [/@actions/] } },
}

/** Tests of pure functions, without a gateway and a database. */
const RULES = 'test/gateway/{domain,acquirer}/**/*.test.ts'

/** Test files that mock modules. Each file needs modules of its own. */
const MOCKED = 'test/gateway/**/*.mocked.test.ts'

/** Simulation runs on a PostgreSQL server. */
const ON_POSTGRES = 'test/lab/simulation/postgres/*.test.ts'

/**
 * Test projects: `sdk` in happy-dom, `rules` in Node, `gateway` in Node (both databases),
 * `simulation` with a simulated clock, network and disk, `browser` in a real Chromium.
 */
export default defineConfig({
  test: {
    // One more than cores: many tests wait for a browser, a process or a timeout.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    execArgv: [
      // A worker runs many files. A larger young generation collects their garbage less often.
      '--max-semi-space-size=64',
      // Most functions run only a few thousand times, too seldom for the optimizing compiler.
      '--invocation-count-for-turbofan=30000',
    ],
    // These limits only end tests that hang. A slow machine can take ten times as long as a fast one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // `isolate: false` below: many files run faster than their modules load.
    projects: [
      {
        extends: true,
        test: {
          name: 'sdk',
          include: ['test/sdk/**/*.test.ts'],
          environment: 'happy-dom',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'rules',
          include: [RULES],
          exclude: [MOCKED],
          environment: 'node',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...GATEWAY,
          name: 'gateway',
          include: ['test/gateway/**/*.test.ts', ON_POSTGRES],
          exclude: [RULES, MOCKED],
          globalSetup: ['test/setup/postgres.ts'],
          isolate: false,
        },
      },
      { extends: true, test: { ...GATEWAY, name: 'gateway, mocked', include: [MOCKED] } },
      {
        extends: true,
        test: {
          name: 'simulation',
          include: ['test/lab/simulation/**/*.test.ts'],
          exclude: [ON_POSTGRES],
          environment: 'node',
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          ...RETRY,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          environment: 'node',
          isolate: false,
        },
      },
    ],
  },
})
