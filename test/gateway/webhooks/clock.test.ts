import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { openTestShop } from './shop.ts'

test('webhook rule 31: a clock that jumps sends every retry once, in order', async () => {
  const shop = await openTestShop()
  shop.sink.answer(500)
  await shop.pay()
  await shop.pay()
  await shop.attempted(2)
  const { happened } = await shop.gateway.clock.advance({ days: 1 })
  const moments = happened.map(({ at }) => at)
  expect(moments).toEqual([...moments].sort((a, b) => a - b))
  expect(shop.sink.received.length).toBe(happened.length + 2)
  await shop.gateway.clock.set(shop.gateway.clock.now() - 3_600_000, { force: true })
  expect(shop.sink.received.length).toBe(happened.length + 2)
})

test('webhook rule 31: queued webhooks are sent before a clock moves', async () => {
  const shop = await openTestShop()
  const { pay } = shop
  shop.sink.answer(500, (response) => pause(20).then(() => void response.end()))
  await shop.pay()
  const [{ created_at: start } = { created_at: 0 }] = await shop.attempted(1)
  await Promise.all(Array.from({ length: 40 }, () => pay()))
  const { happened } = await shop.gateway.clock.advance({ days: 1 })
  const attempts = await shop.attempts()
  expect(happened).toHaveLength(1)
  expect(attempts.map(({ created_at }) => created_at)).toEqual([
    ...Array(41).fill(start),
    happened[0]?.at,
  ])
})
