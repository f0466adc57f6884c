import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { filePlace, type Place } from '../../storage/databases.ts'
import { type ConsoleClient, consoleOf, textOf } from './client.ts'

const RIVAL = { ...MERCHANT, id: 2 }
const KEY = 'a-key-of-our-own'

describe('snapshots in the console', () => {
  const open = filePlace
  let place: Place
  let shop: TestGateway
  let client: ConsoleClient
  let administrator: ConsoleClient
  beforeAll(async () => {
    place = await open()
    shop = await startGateway({
      database: place.target,
      merchants: [MERCHANT, RIVAL],
      control: KEY,
      hosts: ['localhost'],
    })
    client = consoleOf(shop.gateway)
    await client.logIn(1, MERCHANT.password)
    administrator = consoleOf(shop.gateway)
    await administrator.logIn('admin', KEY)
  })
  afterAll(async () => {
    await shop.close()
    await place.remove()
  })

  const pay = (merchant = MERCHANT) => shop.as(merchant).post('/v1/transactions', payment())
  const count = async (merchant = MERCHANT) =>
    (await shop.as(merchant).get<object[]>('/v1/transactions')).body.length
  const pageOf = async (path: string) => textOf((await administrator.get(path)).html)

  test('the administrator saves, lists, restores and deletes a snapshot', async () => {
    expect(await pageOf('/snapshots')).toContain('No snapshot is saved.')
    expect((await administrator.get('/clock')).html).toContain('/console/snapshots')
    await pay()
    expect((await administrator.post('/snapshots', { name: 'morning' })).to).toBe(
      '/console/snapshots?done=saved',
    )
    expect(await pageOf('/snapshots')).toMatch(/Name Payments Saved morning 1 \d{4}-\d\d-\d\d/)
    await pay()
    await pay(RIVAL)
    const { html } = await administrator.get('/snapshots/morning')
    expect(textOf(html)).toContain('created or changed since then is lost')
    expect((await administrator.post('/snapshots/morning/restore')).to).toBe(
      '/console/snapshots?done=restored',
    )
    expect([await count(), await count(RIVAL)]).toEqual([1, 0])
    for (const path of ['/1/snapshots', '/snapshots', '/snapshots/morning'])
      expect((await client.get(path)).status, path).toBe(404)
    for (const path of ['/snapshots', '/snapshots/morning/restore', '/snapshots/morning/remove'])
      expect((await client.post(path)).status, path).toBe(404)
    expect((await client.get('/1/clock')).html).not.toContain('snapshots')
    expect((await administrator.post('/snapshots/morning/remove')).to).toBe(
      '/console/snapshots?done=removed',
    )
    expect((await administrator.get('/snapshots/morning')).status).toBe(404)
    expect(await count()).toBe(1)
  })

  test('an invalid name stays in the form, with the reason next to it', async () => {
    const { status, html } = await administrator.post('/snapshots', { name: 'not a name' })
    expect(status).toBe(400)
    expect(html).toMatch(/id="wrong-name"[^>]*>name must be 1 to 64 letters/)
    expect(html).toContain('value="not a name"')
  })
})
