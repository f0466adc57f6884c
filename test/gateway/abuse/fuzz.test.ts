import { describe, expect, test } from 'vitest'
import { DATABASES } from '../storage/databases.ts'
import { FEASIBLE, fuzz } from './fuzz.ts'
import { growthOf, MOST_GROWTH, rising } from './levels-off.ts'

const SEED = 20260314

/**
 * Number of requests to a gateway on each database, because PostgreSQL fails on some values that
 * SQLite accepts. `npm run lab -- abuse` sends two hundred times as many.
 */
const REQUESTS: Readonly<Record<string, number>> = { 'SQLite file': 600, PostgreSQL: 400 }

/** Calls that succeeded at least once. */
const done = new Set<string>()

describe.each(DATABASES.filter(([name]) => name in REQUESTS))('on %s', (name, open) => {
  const requests = REQUESTS[name] ?? 0

  test(`${requests} requests, most of them from the contract, get answers that the contract allows, and none fails (seed ${SEED})`, async () => {
    const place = await open()
    const database = place.target.includes('://') ? place.target : undefined
    const report = await fuzz({ database, requests, seed: SEED })
    for (const operation of report.done) done.add(operation)
    await place.remove()
    expect(report.problems).toEqual([])
    expect(report.sent).toBe(requests)
  })
})

test('most fuzzed calls succeed, so that they reach the code behind the checks', () => {
  const undone = FEASIBLE.filter((operation) => !done.has(operation))
  // This number of random requests misses a quarter of the calls. Each new field of the contract
  // changes it a little.
  expect(undone.length).toBeLessThan(FEASIBLE.length / 3)
})

describe('the memory check', () => {
  const samples = (heapUsed: (index: number) => number) =>
    Array.from({ length: 30 }, (_each, index) => ({ heapUsed: heapUsed(index), rss: 0 }))

  test('accepts memory that is allocated once', () => {
    expect(
      rising(
        samples((index) => Math.min(index, 9) * 5_000_000),
        MOST_GROWTH,
      ),
    ).toEqual([])
  })

  test('finds a leak', () => {
    const leaking = samples((index) => index * 500_000)
    expect([growthOf(leaking, 'heapUsed'), growthOf(leaking, 'rss')]).toEqual([5_000_000, 0])
    expect(rising(leaking, MOST_GROWTH)).toHaveLength(1)
  })
})
