import { describe, expect, test } from 'vitest'
import { type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const reserve = (over: Fields = {}) => create(payment({ authorize: true, ...over }))
const capture = (id: number | string, amount?: string) =>
  shop.put(`/v1/transactions/${id}/capture`, { amount })

describe('a capture', () => {
  test('a capture of the whole amount takes the money and returns the transaction', async () => {
    const before = await reserve()
    shop.clock.advance(60_000)
    const { status, body } = await capture(before.id, '10.00')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id: before.id,
      status: 'approved',
      amount: '10.00',
      org_auth_amount: 10,
      authorize: true,
    })
    expect(body.captures).toMatchObject([{ amount: '10.00' }])
    expect(Date.parse(body.processed_at ?? '')).toBe(shop.clock.now())
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(body)
  })

  test('a capture of a part lowers amount and keeps the authorized amount', async () => {
    const { body } = await capture((await reserve()).id, '4.50')
    expect(body).toMatchObject({ status: 'approved', amount: '4.50', org_auth_amount: 10 })
    expect(body.captures).toMatchObject([{ amount: '4.50' }])
  })

  test('can have its amount in the query and an empty body', async () => {
    const { id } = await reserve()
    const { body } = await shop.send('PUT', `/v1/transactions/${id}/capture?amount=10.00`)
    expect(body.status).toBe('approved')
  })

  test('can have a JSON body', async () => {
    const { id } = await reserve()
    const json = { 'content-type': 'application/json' }
    const { body } = await shop.send(
      'PUT',
      `/v1/transactions/${id}/capture`,
      '{"amount":10.00}',
      json,
    )
    expect(body.status).toBe('approved')
  })
})

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

  test('a capture of yen with decimals gets error 109', async () => {
    const { id } = await reserve({ currency: 'jpy', amount: '100.00' })
    expect((await capture(id, '10.50')).body.code).toBe(109)
  })

  test('a capture of more than was authorized gets error 134', async () => {
    const before = await reserve()
    expect((await capture(before.id, '10.01')).body.code).toBe(134)
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
  })

  test('a second capture gets error 153', async () => {
    const { id } = await reserve()
    await capture(id, '4.00')
    expect((await capture(id, '4.00')).body.code).toBe(153)
  })

  test('a capture of a payment that was never reserved gets error 153', async () => {
    expect((await capture((await create(payment())).id, '10.00')).body.code).toBe(153)
  })

  test('a capture of a pending transaction gets error 155', async () => {
    expect((await capture((await create(prepared())).id, '10.00')).body.code).toBe(155)
  })

  test('a capture of a declined reservation gets error 155', async () => {
    const fields = payment({ authorize: true, card_cvv: '201' })
    await create(fields)
    const { body } = await shop.get<{ id: number }[]>('/v1/transactions', {
      'filter[payment_ref]': fields.payment_ref,
    })
    expect((await capture(body[0]?.id ?? 0, '10.00')).body.code).toBe(155)
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

  test('a capture of an unknown transaction gets error 128 if the amount is valid', async () => {
    expect((await capture(999_999, '10.00')).body.code).toBe(128)
    expect((await capture(999_999, 'x')).body.code).toBe(109)
  })

  test('a capture of an empty id gets error 109 without an amount, error 128 with one', async () => {
    expect((await capture('')).body.code).toBe(109)
    expect((await capture('', '10.00')).body.code).toBe(128)
  })

  test('a capture of another merchant’s reservation gets error 128', async () => {
    const { id } = await reserve()
    expect(
      (await shop.as(OTHER).put(`/v1/transactions/${id}/capture`, { amount: '10.00' })).body.code,
    ).toBe(128)
    expect((await shop.get(`/v1/transactions/${id}`)).body.status).toBe('authorized')
  })
})
