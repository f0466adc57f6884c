import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { encode, type TestGateway } from '../../helpers/gateway.ts'
import { startErrorGateway, type World, worldOf } from '../errors/world.ts'
import { addressOf, CALLS, SENT, titleOf } from './call-requests.ts'

let shop: TestGateway
let world: World
beforeAll(async () => {
  shop = await startErrorGateway()
  world = worldOf(shop, 'en')
})
afterAll(() => shop.close())

describe('a client with a cached answer gets status 304 only for calls whose contract has it:', () => {
  for (const call of CALLS.filter(
    ({ method, operation }) => method === 'get' && operation.responses[200],
  ))
    test(titleOf(call), async () => {
      const fields = await SENT[call.operation.operationId]?.[0]?.(world)
      const address = `${await addressOf(world, call)}?${encode(fields ?? {})}`
      const first = await shop.get(address)
      const again = await shop.get(
        address,
        {},
        { 'if-none-match': first.headers.get('etag') ?? '' },
      )
      expect([first.status, again.status]).toEqual([200, call.operation.responses[304] ? 304 : 200])
    })
})
