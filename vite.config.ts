import { defineConfig } from 'vitest/config'

/** Test projects: `sdk` in happy-dom, `gateway` in Node (both databases), `browser` drives a real Chromium. */
export default defineConfig({
  test: {
    // Every core: the machine that runs the tests has nothing else to do.
    maxWorkers: '100%',
    projects: [
      {
        extends: true,
        test: {
          name: 'sdk',
          include: ['test/sdk/**/*.test.ts'],
          environment: 'happy-dom',
        },
      },
      {
        extends: true,
        test: {
          name: 'gateway',
          setupFiles: ['test/setup/checked-fetch.ts'],
          include: ['test/gateway/**/*.test.ts'],
          environment: 'node',
          globalSetup: ['test/setup/postgres.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          environment: 'node',
          fileParallelism: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
