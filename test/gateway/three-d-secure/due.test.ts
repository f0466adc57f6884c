import { expect, test } from 'vitest'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { cardOf, payerAt } from './payer.ts'

const shop = await sharedGateway()

test('if a payer never returns, the payment fails after ten minutes', async () => {
  await payerAt(shop).pay({ payment_ref: 'left alone', card_number: cardOf(14) })
  const read = async () =>
    (await shop.get<object[]>('/v1/transactions', { 'filter[payment_ref]': 'left alone' })).body[0]
  await shop.gateway.clock.advance({ seconds: 599 })
  expect(await read()).toMatchObject({ status: '3ds pending' })
  const moved = await shop.gateway.clock.advance({ seconds: 1 })
  expect(moved).toMatchObject({ happened: [{ kind: 'authentication' }] })
  expect(await read()).toMatchObject({
    status: 'failed',
    error: { code: 1280, name: 'errors.transaction.timeout' },
  })
})
