import { defineConfig } from 'vitest/config'

/** Suites of a shop, run by a test of ours: four workers on one gateway. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.suite.ts'],
    pool: 'forks',
    maxWorkers: 4,
    testTimeout: 30_000,
  },
})
