import { expect, inject, test } from 'vitest'
import { runSeeds } from '../seeds.ts'

/** A small world of two gateways, and one in which a fault shows soon; `npm run lab -- simulation --on postgres` has more. */
const SEED = { held: 203, broken: 3 }

const server = () => ({ url: inject('postgresUrl'), template: inject('postgresTemplate') })

test('a world on PostgreSQL keeps what it must, whatever goes wrong on the wire', { timeout: 600_000 }, async () => {
  const said = await runSeeds({ from: SEED.held, count: 1, workers: 1, server: server() })
  expect(said.flatMap(({ rule, story }) => (rule === undefined ? [] : [story ?? rule]))).toEqual([])
  expect(said).toHaveLength(1)
})

test('a fault that is put back is found there', { timeout: 600_000 }, async () => {
  const [said] = await runSeeds({
    from: SEED.broken,
    count: 1,
    workers: 1,
    server: server(),
    fault: 'duplicate capture',
    tells: false,
  })
  expect(said?.rule).toBe('captured twice')
})
