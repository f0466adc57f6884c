import { expect, inject, test } from 'vitest'
import { runSeeds } from '../seeds.ts'

/**
 * Seed of a small run with two gateways, and seed of a run that finds a bug early. `npm run lab --
 * simulation --on postgres` runs more.
 */
const SEED = { held: 203, broken: 3 }

const server = () => ({ url: inject('postgresUrl'), template: inject('postgresTemplate') })

test('a simulation run on PostgreSQL breaks no rule, whatever faults the connection has', {
  timeout: 600_000,
}, async () => {
  const said = await runSeeds({ from: SEED.held, count: 1, workers: 1, server: server() })
  expect(said.flatMap(({ rule, story }) => (rule === undefined ? [] : [story ?? rule]))).toEqual([])
  expect(said).toHaveLength(1)
})

test('a reintroduced bug is found', { timeout: 600_000 }, async () => {
  const [said] = await runSeeds({
    from: SEED.broken,
    count: 1,
    workers: 1,
    server: server(),
    bug: 'duplicate capture',
    tells: false,
  })
  expect(said?.rule).toBe('captured twice')
})
