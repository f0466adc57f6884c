import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/setup/longest-first.ts'

/**
 * What drives browsers and processes is tried again, once, inside `npm test`, which lists what
 * passed only then.
 */
const AGAIN = { retry: Number(process.env.TEST_RETRY ?? 0) }

/** How every test of the gateway runs. */
const GATEWAY = {
  ...AGAIN,
  environment: 'node',
  setupFiles: ['test/setup/checked-fetch.ts'],
  // It imports JSON as bundlers do, and Node does not.
  server: { deps: { inline: [/@actions/] } },
}

/** Tests of pure rules: they need no gateway and no database. */
const RULES = 'test/gateway/{domain,acquirer}/**/*.test.ts'

/** Test files that put other modules in the place of some, and so share none with other files. */
const MOCKED = 'test/gateway/**/*.mocked.test.ts'

/** Worlds of the simulation for which there has to be a server. */
const ON_POSTGRES = 'test/lab/simulation/postgres/*.test.ts'

/**
 * Test projects: `sdk` in happy-dom, `rules` in Node, `gateway` in Node (both databases),
 * `simulation` in processes whose machine is replaced, `browser` drives a real Chromium.
 */
export default defineConfig({
  test: {
    // One more than cores: many tests wait, for a browser, a process or the time of a limit.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    execArgv: [
      // A worker runs many files: what each of them leaves is looked through less often.
      '--max-semi-space-size=64',
      // Much runs a few thousand times, and then never again: it is not worth the last step of
      // compiling.
      '--invocation-count-for-turbofan=30000',
    ],
    // These limits only find what hangs: a slow machine may need ten times as long as a quick one.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 60_000 } },
    // `isolate: false` below: loading everything anew for each file would take longer than many of
    // them run.
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
          ...AGAIN,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          environment: 'node',
          isolate: false,
        },
      },
    ],
  },
})
