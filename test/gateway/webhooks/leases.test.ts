import { expect, test, vi } from 'vitest'
import { fakeTimers } from '../../helpers/machine-time.ts'
import { until } from '../../helpers/sink.ts'
import { onBothDatabases } from './shop.ts'

onBothDatabases((openShop) => {
  test('webhook rule 30: leases are renewed during a long call, also for webhooks that wait for their turn', async () => {
    fakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const shop = await openShop()
    shop.sink.answer(() => {})
    for (let order = 0; order < 5; order++) await shop.pay()
    await shop.sink.calls(4)
    const leases = () =>
      until(async () => {
        const ends = (await shop.deliveries()).map(({ lease_until }) => lease_until)
        return ends.every((end) => end === shop.clock.now() + 15_000) && ends.length
      })
    expect(await leases()).toBe(5)
    shop.clock.advance(5_000)
    vi.advanceTimersByTime(5_000)
    expect(await leases()).toBe(5)
    shop.sink.server.closeAllConnections()
  })

  test('webhook rule 29: a gateway that closes returns webhooks that wait for their turn', async () => {
    const shop = await openShop()
    const answers: (() => void)[] = []
    shop.sink.answer((response) => void answers.push(() => void response.end()))
    for (let order = 0; order < 6; order++) await shop.pay()
    await shop.sink.calls(4)
    const closed = shop.gateway.close()
    for (const end of answers) end()
    await closed
    const rows = await shop.deliveries()
    expect(rows.map(({ status }) => status).sort()).toEqual([
      ...Array(4).fill('delivered'),
      ...Array(2).fill('pending'),
    ])
    expect(rows.map(({ lease_owner }) => lease_owner)).toEqual(Array(6).fill(null))
    expect(shop.sink.received).toHaveLength(4)
  })
})
