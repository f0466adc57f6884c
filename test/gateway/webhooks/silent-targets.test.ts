import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openSink } from '../../helpers/sink.ts'
import { openTestShop } from './shop.ts'

test('webhook rule 28: a shop that does not answer does not delay webhooks to other shops', async () => {
  const shop = await openTestShop()
  shop.sink.answer(() => {})
  for (let order = 0; order < 12; order++) await shop.pay()
  const quick = await openSink(undefined, '0.0.0.0')
  onTestFinished(quick.close)
  const { port } = new URL(quick.url)
  for (let n = 1; n <= 9; n++) await shop.pay({ url: `http://127.0.0.${n}:${port}/` })
  await quick.calls(9)
  // Four of the twelve hanging calls run in parallel.
  await shop.sink.calls(4)
  await pause(50)
  expect(shop.sink.received).toHaveLength(4)
  shop.sink.server.closeAllConnections()
})
