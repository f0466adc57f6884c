import { describe, expect, test } from 'vitest'
import { type Fields, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const reserve = (over: Fields = {}) => create(payment({ authorize: true, ...over }))
const capture = (id: number | string, amount?: string) =>
  shop.put(`/v1/transactions/${id}/capture`, { amount })

describe('a rejected capture', () => {
  for (const [what, amount] of [
    ['without an amount', undefined],
    ['with an empty amount', ''],
    ['with a bad format', '10'],
    ['with zero', '0.00'],
    ['with a negative amount', '-1.00'],
    ['with an amount beyond all numbers', '99999999999999999999.99'],
  ] as const)
    test(`${what}: error 109, and the money stays reserved`, async () => {
      const before = await reserve()
      expect((await capture(before.id, amount)).body).toMatchObject({
        code: 109,
        name: 'errors.amount.invalid',
      })
      expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
    })

  test('a capture of a reservation that a refund has released gets error 155', async () => {
    const { id } = await reserve()
    await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'Out of stock' })
    const released = (await shop.get(`/v1/transactions/${id}`)).body
    expect((await capture(id, '9.00')).body).toMatchObject({
      code: 155,
      name: 'errors.reservation.not_approved',
    })
    expect((await shop.get(`/v1/transactions/${id}`)).body).toEqual(released)
  })
})
