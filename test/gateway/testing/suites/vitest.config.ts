import { defineConfig } from 'vitest/config'

/** Suites of a shop, run by a test of ours: three workers on one gateway. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.suite.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // Finds what hangs: a busy machine may need ten times as long as a quick one.
    testTimeout: 180_000,
  },
})
