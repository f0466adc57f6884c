import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallLimits, createCallLimits } from '../../../mock-gateway/webhooks/call-limits.ts'
import { fakeTimers } from '../../helpers/machine-time.ts'

const HOST = '1 shop.example'

let limits: CallLimits
beforeEach(() => {
  limits = createCallLimits()
})
afterEach(() => limits.close())

const take = (count: number): void => {
  for (let each = 0; each < count; each++) limits.markTaken(HOST)
}

/**
 * Queues calls.
 * @returns a list of the answers so far, in the order of the calls
 */
function line(count: number): boolean[] {
  const told: boolean[] = []
  for (let place = 0; place < count; place++)
    limits.enqueue(HOST, (isTurn) => {
      told[place] = isTurn
    })
  return told
}

test('a new host gets 4 parallel deliveries, a host that answers quickly gets 64', async () => {
  expect(limits.room(HOST)).toBe(4)
  take(1)
  await limits.call(HOST, async () => {})
  expect(limits.room(HOST)).toBe(63)
})

test('a fast host gets more deliveries when half of them are done', async () => {
  take(33)
  await limits.call(HOST, async () => {})
  expect(limits.room(HOST)).toBe(0)
  limits.markDone(HOST)
  expect(limits.room(HOST)).toBe(32)
})

test('four deliveries of a host run in parallel, and the longest waiting one follows when a call ends', async () => {
  take(6)
  const told = line(6)
  expect(told).toEqual([true, true, true, true])
  await limits.call(HOST, () => pause(1))
  expect(told).toEqual([true, true, true, true, true])
  expect(line(1)).toEqual([])
})

test('a call alone waits for the other calls of its host', async () => {
  take(3)
  const told: string[] = []
  for (const name of ['first', 'second', 'third'])
    limits.enqueue(HOST, () => void told.push(name), true)
  expect(told).toEqual(['first'])
  await limits.call(HOST, async () => {})
  expect(told).toEqual(['first', 'second'])
})

test('a call that throws lets the next call start', async () => {
  take(5)
  const told = line(5)
  await expect(limits.call(HOST, () => Promise.reject(new Error('of no use')))).rejects.toThrow(
    'of no use',
  )
  expect(told).toHaveLength(5)
})

test('a call waits for at most ten seconds', () => {
  fakeTimers()
  limits = createCallLimits()
  take(6)
  const told = line(5)
  vi.advanceTimersByTime(6_000)
  const later = line(1)
  expect([told.length, later]).toEqual([4, []])
  vi.advanceTimersByTime(5_000)
  expect([told, later]).toEqual([[true, true, true, true, false], []])
  vi.advanceTimersByTime(6_000)
  expect(later).toEqual([false])
})

test('a closed limit starts no calls', () => {
  take(6)
  const told = line(5)
  limits.close()
  expect([...told, ...line(1)]).toEqual([true, true, true, true, false, false])
})
