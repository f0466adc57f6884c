import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type CallLimits, createCallLimits } from '../../../mock-gateway/webhooks/call-limits.ts'

const HOST = '1 shop.example'

let limits: CallLimits
beforeEach(() => {
  limits = createCallLimits()
})
afterEach(() => {
  limits.close()
  vi.useRealTimers()
})

/** Takes as many deliveries as are admitted, of so many that are being written. */
function take(count: number): number {
  let taken = 0
  for (let each = 0; each < count; each++)
    if (limits.admits(HOST)) {
      limits.taken(HOST)
      taken += 1
    }
  return taken
}

/** Lets so many stand in line. @returns what each of them was told, once it was */
function line(count: number): boolean[] {
  const told: boolean[] = []
  for (let place = 0; place < count; place++)
    limits.line(HOST, (isTurn) => {
      told[place] = isTurn
    })
  return told
}

test('of a host that nobody has called yet few deliveries are taken as they are written', () =>
  expect(take(100)).toBe(64))

test('of one that answers quickly thousands are, and no more than fit in memory', async () => {
  limits.taken(HOST)
  await limits.call(HOST, () => pause(1))
  expect(take(6_000)).toBe(4_999)
})

test('what could not be taken is found before others are taken as they are written', () => {
  expect(take(65)).toBe(64)
  limits.done(HOST)
  expect(limits.admits(HOST)).toBe(false)
  expect(limits.admits('1 other.example')).toBe(true)
  limits.caughtUp(HOST)
  expect(limits.admits(HOST)).toBe(true)
})

test('four of a host have their turn at once, and whoever waits longest when a call of them ends', async () => {
  take(6)
  const told = line(6)
  expect(told).toEqual([true, true, true, true])
  await limits.call(HOST, () => pause(1))
  expect(told).toEqual([true, true, true, true, true])
  expect(line(1)).toEqual([])
})

test('a call that throws lets the next have its turn', async () => {
  take(5)
  const told = line(5)
  await expect(limits.call(HOST, () => Promise.reject(new Error('of no use')))).rejects.toThrow('of no use')
  expect(told).toHaveLength(5)
})

test('whoever waits for more than ten seconds waits no more', () => {
  vi.useFakeTimers()
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

test('who waits for those in line is told when the last of them has had its turn, and takes no place', async () => {
  take(6)
  const told = line(6)
  expect(await limits.passed((host) => host !== HOST)).toBe(false)
  const passed = limits.passed((host) => host === HOST).then((hasWaited) => told.push(hasWaited))
  await limits.call(HOST, () => pause(1))
  expect(told).toHaveLength(5)
  await limits.call(HOST, () => pause(1))
  expect(told).toHaveLength(6)
  await limits.call(HOST, () => pause(1))
  await passed
  expect(told).toHaveLength(7)
  expect(await limits.passed(() => true)).toBe(false)
  expect(line(2)).toEqual([true])
})

test('once it is closed nobody gets a turn', () => {
  take(6)
  const told = line(5)
  limits.close()
  expect([...told, ...line(1)]).toEqual([true, true, true, true, false, false])
})
