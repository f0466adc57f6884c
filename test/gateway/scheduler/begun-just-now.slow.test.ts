import { expect, test } from 'vitest'
import type { Transaction } from '../../../mock-gateway/contract/wire.ts'
import { payment, startGateway } from '../../helpers/gateway.ts'
import { onSlowDatabases } from '../storage/databases.ts'
import { newSubscription } from '../subscriptions/new-subscription.ts'

const DAY = 86_400_000

/**
 * Returns true for the query for due charges. A request starts this query and does not wait for it.
 */
const isLook = (sql: string) =>
  /select "id", "merchant_id", "next_at" from "subscriptions"/.test(sql)

for (const wait of [0, 5, 40])
  onSlowDatabases(
    (open) =>
      test(`a clock that moves while the gateway starts a due charge makes this and all further charges (the search takes ${wait} ms)`, async () => {
        const place = await open()
        const shop = await startGateway({ database: place.target })
        const { id } = await newSubscription(shop)
        shop.clock.advance(DAY)
        // A pending webhook makes the gateway search all due work.
        await shop.post(
          '/v1/transactions',
          payment({ webhook: '{"trigger":"payment","url":"https://shop.example"}' }),
        )
        const { happened, quiet } = await shop.gateway.clock.advance({ months: 3 })
        const { body } = await shop.get<Transaction[]>(`/v1/subscriptions/${id}/transactions`)
        await shop.close()
        await place.remove()
        // The first charge was due before the clock was moved.
        const charges = happened.filter(({ kind }) => kind === 'charge')
        expect({ quiet, made: body.length, reported: charges.length }).toEqual({
          quiet: true,
          made: 4,
          reported: 3,
        })
      }),
    (sql) => (isLook(sql) ? wait : 0),
  )

onSlowDatabases((open) =>
  test('a clock that moves while another gateway charges makes all later charges', async () => {
    const place = await open()
    const [mover, other] = [
      await startGateway({ database: place.target }),
      await startGateway({ database: place.target, seed: 'another' }),
    ]
    for (let time = 0; time < 5; time++) {
      const { id } = await newSubscription(mover)
      for (const { clock } of [mover, other]) clock.advance(DAY)
      await other.post(
        '/v1/transactions',
        payment({ webhook: '{"trigger":"payment","url":"https://shop.example"}' }),
      )
      const { quiet } = await mover.gateway.clock.advance({ months: 3 }, { merchant: 1 })
      const { body } = await mover.get<Transaction[]>(`/v1/subscriptions/${id}/transactions`)
      expect({ quiet, made: body.length }).toEqual({ quiet: true, made: 4 })
      await mover.send('DELETE', `/v1/subscriptions/${id}`)
      await mover.gateway.clock.resume({ real: true, force: true, merchant: 1 })
    }
    await mover.close()
    await other.close()
    await place.remove()
  }),
)
