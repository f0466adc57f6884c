import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Database } from '../../../mock-gateway/storage/database.ts'
import { createLeases, LEASE_MS, type Leases } from '../../../mock-gateway/webhooks/leases.ts'
import { fakeTimers } from '../../helpers/machine-time.ts'

beforeEach(() => fakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'], now: 0 }))

let leases: Leases
afterEach(() => leases.end())

/** Creates leases that count their written renewals. The database can become unavailable. */
function leasesWith(database: { isAway?: boolean } = {}) {
  const writeUnflushed = vi.fn(async () => {
    if (database.isAway) throw new Error('away')
  })
  leases = createLeases({
    database: { writeUnflushed } as unknown as Database,
    machine: Date.now,
    randomBytes: (size) => new Uint8Array(size),
    findMerchant: async () => undefined,
  })
  return { taken: leases.taken, writes: writeUnflushed.mock.calls }
}

test('a lease is renewed when it is five seconds old, and not before', async () => {
  const { taken, writes } = leasesWith()
  await vi.advanceTimersByTimeAsync(1)
  taken.set(7, Date.now() + LEASE_MS)
  await vi.advanceTimersByTimeAsync(5_000)
  expect([writes.length, taken.get(7)]).toEqual([0, 1 + LEASE_MS])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([writes.length, taken.get(7)]).toEqual([1, 10_000 + LEASE_MS])
  await vi.advanceTimersByTimeAsync(5_000)
  expect([writes.length, taken.get(7)]).toEqual([2, 15_000 + LEASE_MS])
})

test('a returned lease is not renewed, and no lease is renewed after the gateway ends', async () => {
  const { taken, writes } = leasesWith()
  taken.set(7, LEASE_MS)
  taken.delete(7)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(writes).toHaveLength(0)
  taken.set(8, Date.now() + LEASE_MS)
  leases.end()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(writes).toHaveLength(0)
})

test('a lease expires while the database is unavailable', async () => {
  const { taken, writes } = leasesWith({ isAway: true })
  taken.set(7, LEASE_MS)
  await vi.advanceTimersByTimeAsync(20_000)
  expect([writes.length, taken.get(7)]).toEqual([4, LEASE_MS])
})
