import { defineConfig } from 'vitest/config'

/**
 * Configuration of a shop's suites, which a test of this project runs with three workers on one
 * gateway.
 */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ['*.suite.ts'],
    pool: 'forks',
    maxWorkers: 3,
    // Time limit for tests that hang. A busy machine can need ten times as long as a fast one.
    testTimeout: 180_000,
  },
})
