import { describe, expect, test } from 'vitest'
import { payment, startGateway, type TestGateway } from '../../../helpers/gateway.ts'
import { filePlace, type Place } from '../../storage/databases.ts'
import { controlOf } from './client.ts'

const tokenOf = async (shop: TestGateway) =>
  (await shop.post('/v1/transactions', payment({ store_card: true }))).body.href.split('/').at(-1)

describe('a random seed', () => {
  /**
   * Pays four times with gateways on the same data, and returns the tokens. `run` decides which
   * gateway makes which payment.
   */
  async function tokens(run: (place: Place) => Promise<readonly (string | undefined)[]>) {
    const place = await filePlace()
    try {
      return await run(place)
    } finally {
      await place.remove()
    }
  }

  const start = async ({ target }: Place, seed: string) => startGateway({ database: target, seed })

  test('survives a restart, and its values continue', async () => {
    const withoutRestart = await tokens(async (place) => {
      const shop = await start(place, 'one')
      await controlOf(shop.gateway).post('/seed', { seed: 'a test' })
      await controlOf(shop.gateway).post('/seed?merchant_id=1', { seed: 'another test' })
      const all = [await tokenOf(shop), await tokenOf(shop), await tokenOf(shop)]
      await shop.close()
      return all
    })
    const withRestart = await tokens(async (place) => {
      const first = await start(place, 'two')
      await controlOf(first.gateway).post('/seed', { seed: 'a test' })
      await controlOf(first.gateway).post('/seed?merchant_id=1', { seed: 'another test' })
      const before = await tokenOf(first)
      await first.close()
      const second = await start(place, 'three')
      const { body } = await controlOf(second.gateway).get('/seed?merchant_id=1')
      expect(body).toEqual({ merchant_id: 1, seeded: true })
      const after = [await tokenOf(second), await tokenOf(second)]
      await second.close()
      return [before, ...after]
    })
    expect(withRestart).toEqual(withoutRestart)
  })

  test('gives different values to gateways that share the data', async () => {
    const all = await tokens(async (place) => {
      const first = await start(place, 'one')
      await controlOf(first.gateway).post('/seed', { seed: 'a test' })
      const second = await start(place, 'two')
      const found = [await tokenOf(first), await tokenOf(second), await tokenOf(first)]
      await second.close()
      await first.close()
      const third = await start(place, 'three')
      found.push(await tokenOf(third))
      await third.close()
      return found
    })
    expect(new Set(all).size).toBe(4)
  })
})
