import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createTurns, type Turns } from '../../../mock-gateway/webhooks/turns.ts'

const HOST = 'shop.example'

/** Takes as many deliveries as are admitted, of so many that are being written. */
function take(turns: Turns, count: number): number {
  let taken = 0
  for (let id = 1; id <= count; id++)
    if (turns.admits(HOST)) {
      turns.found(id, HOST)
      turns.begun(id)
      taken += 1
    }
  return taken
}

test('of a host that nobody has called yet few deliveries are taken as they are written', () =>
  expect(take(createTurns(), 100)).toBe(64))

test('of one that answers quickly thousands are, and no more than fit in memory', async () => {
  const turns = createTurns()
  await turns.take(HOST, () => pause(1))
  expect(take(turns, 6_000)).toBe(5_000)
})

test('what could not be taken is found before others are taken as they are written', () => {
  const turns = createTurns()
  expect(take(turns, 65)).toBe(64)
  turns.done(1)
  expect(turns.admits(HOST)).toBe(false)
  expect(turns.admits('other.example')).toBe(true)
  turns.caughtUp(HOST)
  expect(turns.admits(HOST)).toBe(true)
})
