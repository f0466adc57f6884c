import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type CallLimits, createCallLimits } from '../../../mock-gateway/webhooks/call-limits.ts'

const HOST = 'shop.example'

/** Takes as many deliveries as are admitted, of so many that are being written. */
function take(limits: CallLimits, count: number): number {
  let taken = 0
  for (let id = 1; id <= count; id++)
    if (limits.admits(HOST)) {
      limits.found(id, HOST)
      limits.begun(id)
      taken += 1
    }
  return taken
}

test('of a host that nobody has called yet few deliveries are taken as they are written', () =>
  expect(take(createCallLimits(), 100)).toBe(64))

test('of one that answers quickly thousands are, and no more than fit in memory', async () => {
  const limits = createCallLimits()
  await limits.take(HOST, () => pause(1))
  expect(take(limits, 6_000)).toBe(5_000)
})

test('what could not be taken is found before others are taken as they are written', () => {
  const limits = createCallLimits()
  expect(take(limits, 65)).toBe(64)
  limits.done(1)
  expect(limits.admits(HOST)).toBe(false)
  expect(limits.admits('other.example')).toBe(true)
  limits.caughtUp(HOST)
  expect(limits.admits(HOST)).toBe(true)
})

test('once it is closed nobody gets a turn', async () => {
  const limits = createCallLimits()
  limits.close()
  expect(await limits.take(HOST, async () => 'called')).toBeUndefined()
})
