import { setTimeout as pause } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { openSink } from '../../helpers/sink.ts'
import { onBothDatabases, type Shop } from './shop.ts'

let shop: Shop | undefined
const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
  await shop?.close()
})

onBothDatabases((openShop) => {
  test('webhook rule 28: a shop that does not answer does not delay webhooks to other shops', async () => {
    shop = await openShop()
    shop.sink.answer(() => {})
    for (let order = 0; order < 12; order++) await shop.pay()
    const quick = await openSink(undefined, '0.0.0.0')
    closing.push(quick.close)
    const { port } = new URL(quick.url)
    for (let n = 1; n <= 9; n++) await shop.pay({ url: `http://127.0.0.${n}:${port}/` })
    await quick.calls(9)
    // Of the twelve hanging calls, four run in parallel.
    await shop.sink.calls(4)
    await pause(50)
    expect(shop.sink.received).toHaveLength(4)
    shop.sink.server.closeAllConnections()
  })
})
