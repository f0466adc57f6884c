import { expect, test } from 'vitest'
import { payment, type TestGateway, type TestGatewayOptions } from '../../../helpers/gateway.ts'
import { openGateway } from '../../../helpers/shared-gateway.ts'
import { openTestPlace } from '../../storage/databases.ts'
import { controlOf } from './client.ts'

const tokenOf = async (shop: TestGateway) =>
  (await shop.post('/v1/transactions', payment({ store_card: true }))).body.href.split('/').at(-1)

test('a random seed survives a restart, and its values continue', async () => {
  const database = await openTestPlace()
  const start = async (options: TestGatewayOptions) => {
    const shop = await openGateway(options)
    await controlOf(shop.gateway).post('/seed', { seed: 'a test' })
    await controlOf(shop.gateway).post('/seed?merchant_id=1', { seed: 'another test' })
    return shop
  }
  const one = await start({ seed: 'one' })
  const first = await start({ database, seed: 'two' })
  const before = await tokenOf(first)
  await first.close()
  const second = await openGateway({ database, seed: 'three' })
  const { body } = await controlOf(second.gateway).get('/seed?merchant_id=1')
  expect(body).toEqual({ merchant_id: 1, seeded: true })
  expect([before, await tokenOf(second), await tokenOf(second)]).toEqual([
    await tokenOf(one),
    await tokenOf(one),
    await tokenOf(one),
  ])
})
