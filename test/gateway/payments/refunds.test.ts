import { describe, expect, test } from 'vitest'
import type { ApiError, Refund, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { type Fields, MERCHANT, payment, prepared, startGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { invoice } from '../payment-methods/fields.ts'

const shop = await sharedGateway()

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const pay = (over: Fields = {}) => create(payment(over))
const reserve = (over: Fields = {}) => pay({ authorize: true, ...over })
const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body
const capture = async (id: number, amount: string) =>
  (await shop.put(`/v1/transactions/${id}/capture`, { amount })).body
const refund = async (id: number, amount: string | undefined, over: Fields = {}) =>
  (
    await shop.post<Refund & ApiError>('/v1/refunds', {
      transaction_id: id,
      amount,
      reason: 'Returned goods',
      ...over,
    })
  ).body

describe('a refund', () => {
  test('a refund of the whole amount is returned, and shown on the transaction, which stays approved', async () => {
    const before = await pay()
    shop.clock.advance(60_000)
    const { status, body } = await shop.post<Refund>('/v1/refunds', {
      transaction_id: before.id,
      amount: '10.00',
      reason: ' Returned goods ',
      ref: 'R-1',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      created_at: new Date(shop.clock.now()).toISOString().replace('.000', ''),
      amount: '10.00',
      reason: 'Returned goods',
      ref: 'R-1',
      transaction: { id: before.id },
    })
    const after = await read(before.id)
    expect(after).toEqual({
      ...before,
      refunds: [body],
      refunds_all: [body],
      log_events: after.log_events,
    })
    expect(after.log_events.at(-1)?.data).toMatchObject({ event: 'refunded', amount: '10.00' })
  })

  test('has no ref if the request has none', async () => {
    expect((await refund((await pay()).id, '10.00')).ref).toBeNull()
  })

  test('can be made in parts, until nothing is left', async () => {
    const { id } = await pay()
    const parts = [
      await refund(id, '2.50'),
      await refund(id, '2.50', { reason: 'One more' }),
      await refund(id, '5.00'),
    ]
    expect(await read(id)).toMatchObject({
      status: 'approved',
      amount: '10.00',
      refunds: parts,
      refunds_all: parts,
    })
    expect((await refund(id, '0.01')).code).toBe(134)
  })

  test('is limited by the captured amount, not by the reserved one', async () => {
    const { id } = await reserve()
    await capture(id, '4.00')
    expect((await refund(id, '4.01')).code).toBe(134)
    expect((await refund(id, '4.00')).amount).toBe('4.00')
    expect(await read(id)).toMatchObject({
      amount: '4.00',
      org_auth_amount: 10,
      captures: [{ amount: '4.00' }],
      refunds: [{ amount: '4.00' }],
    })
  })

  test('can be made in a currency without decimals', async () => {
    const { id } = await pay({ currency: 'jpy', amount: '100.00' })
    expect((await refund(id, '10.50')).code).toBe(109)
    expect((await refund(id, '10.00')).amount).toBe('10.00')
  })

  test('can have its parameters as JSON, with numbers as amounts', async () => {
    const { id } = await pay()
    const json = { 'content-type': 'application/json' }
    const { body } = await shop.send(
      'POST',
      '/v1/refunds',
      `{"transaction_id":${id},"amount":1.50,"reason":"x"}`,
      json,
    )
    expect(body.amount).toBe('1.50')
  })

  test('can have a reason of 255 characters of any kind', async () => {
    const { id } = await pay()
    for (const reason of ['x'.repeat(255), '😀'.repeat(255)])
      expect((await refund(id, '1.00', { reason })).reason).toBe(reason)
  })

  test('includes its transaction and its customer if extend names them', async () => {
    const { id, customer } = await pay({ customer_ref: 'kim' })
    const sent = { transaction_id: id, amount: '1.00', reason: 'x' }
    const made = (await shop.post<Refund>('/v1/refunds?extend=transaction', sent)).body
    const whole = { ...(await read(id)), refunds: [], refunds_all: [] }
    expect(made.transaction).toEqual(whole)
    const [path, extend] = [`/v1/refunds/${made.id}`, 'transaction,customer']
    const { transaction } = (await shop.get<Refund>(path, { extend })).body
    expect((transaction as Transaction).customer).toMatchObject({ id: customer?.id, ref: 'kim' })
    const [listed] = (await shop.get<Refund[]>('/v1/refunds', { extend: 'transaction', limit: 1 }))
      .body
    expect(listed?.transaction).toEqual(whole)
    expect((await shop.get<Refund>(path)).body.transaction).toEqual({ id })
  })
})

describe('refunds', () => {
  test('are read one by one and listed, newest first', async () => {
    const { id } = await pay()
    const first = await refund(id, '1.00')
    const second = await refund(id, '2.00', { reason: 'list 2' })
    expect((await shop.get(`/v1/refunds/${first.id}`)).body).toEqual(first)
    const of = { 'filter[transaction_id]': id }
    const { headers, body } = await shop.get('/v1/refunds', of)
    expect(body).toEqual([second, first])
    expect(headers.get('content-range')).toBe('items 1-2/2')
    expect((await shop.get('/v1/refunds', { ...of, order_by: 'amount' })).body).toEqual([
      first,
      second,
    ])
    expect((await shop.get('/v1/refunds', { ...of, 'filter[amount]': '..1.50' })).body).toEqual([
      first,
    ])
    expect((await shop.get('/v1/refunds', { ...of, 'filter[reason]': 'list 2' })).body).toEqual([
      second,
    ])
  })

  test('refunds that do not exist are not found: error 196', async () => {
    const { status, body } = await shop.get('/v1/refunds/999999')
    expect({ status, code: body.code }).toEqual({ status: 404, code: 196 })
  })
})

describe('a rejected refund', () => {
  for (const [what, over, code] of [
    ['without a transaction', { transaction_id: undefined }, 152],
    ['with an empty transaction', { transaction_id: '' }, 152],
    ['of an unknown transaction', { transaction_id: 999_999 }, 128],
    ['with a transaction id that is not a number', { transaction_id: 'A100' }, 128],
    ['of transaction 0, before its amount is checked', { transaction_id: 0, amount: '' }, 128],
    ['without an amount', { amount: undefined }, 108],
    ['with an empty amount', { amount: '' }, 108],
    ['with a bad format', { amount: '10' }, 109],
    ['with zero', { amount: '0.00' }, 109],
    ['with less than zero', { amount: '-1.00' }, 108],
    ['of more than was paid', { amount: '10.01' }, 134],
    ['without a reason', { reason: undefined }, 132],
    ['with an empty reason', { reason: '' }, 132],
    ['with a blank reason', { reason: '  ' }, 132],
    ['with a reason of 256 characters', { reason: 'x'.repeat(256) }, 199],
    ['with a reason of 256 emoji', { reason: '😀'.repeat(256) }, 199],
  ] as const)
    test(`${what}: error ${code}, and nothing is refunded`, async () => {
      const before = await pay()
      const sent = { transaction_id: before.id, amount: '10.00', reason: 'x', ...over }
      const { status, headers, body } = await shop.post<ApiError>('/v1/refunds', sent)
      expect({ status, code: body.code }).toEqual({ status: code === 128 ? 404 : 400, code })
      expect(headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
      expect(await read(before.id)).toEqual(before)
    })

  test('a refund of a pending transaction gets error 155', async () => {
    const { id } = await create(prepared())
    expect((await refund(id, '10.00')).code).toBe(155)
    expect((await read(id)).refunds).toEqual([])
  })

  test('a refund of a declined payment gets error 155', async () => {
    const fields = payment({ card_cvv: '201' })
    await create(fields)
    const query = { 'filter[payment_ref]': fields.payment_ref }
    const [declined] = (await shop.get<Transaction[]>('/v1/transactions', query)).body
    expect((await refund(declined?.id ?? 0, '10.00')).code).toBe(155)
  })
})

describe('a refund of a reservation releases it', () => {
  for (const amount of ['10.00', '4.00', '99.00'])
    test(`the whole reservation is released, also with the amount ${amount}`, async () => {
      const before = await reserve()
      const released = await refund(before.id, amount)
      expect(released).toMatchObject({ amount, transaction: { id: before.id } })
      expect(await read(before.id)).toMatchObject({
        status: 'authorized',
        amount: '10.00',
        org_auth_amount: 10,
        refunds: [released],
        refunds_all: [released],
        captures: [],
      })
    })

  test('the reservation of an invoice is released too', async () => {
    const { id } = await create(invoice())
    expect((await refund(id, '10.00')).amount).toBe('10.00')
    expect((await capture(id, '10.00')) as unknown).toMatchObject({ code: 155 })
  })

  test('a released reservation cannot be captured: error 155', async () => {
    const { id } = await reserve()
    await refund(id, '4.00')
    const released = await read(id)
    for (const amount of ['10.00', '6.00'])
      expect((await capture(id, amount)) as unknown).toMatchObject({
        code: 155,
        name: 'errors.reservation.not_approved',
      })
    expect(await read(id)).toEqual(released)
  })

  test('a second release gets error 134', async () => {
    const { id } = await reserve()
    await refund(id, '4.00')
    expect(await refund(id, '4.00')).toMatchObject({ code: 134, name: 'errors.amount.excess' })
    expect((await read(id)).refunds).toHaveLength(1)
  })

  test('a release needs a valid amount and a reason', async () => {
    const { id } = await reserve()
    expect((await refund(id, '10')).code).toBe(109)
    expect((await refund(id, '10.00', { reason: '' })).code).toBe(132)
    expect(await capture(id, '10.00')).toMatchObject({ status: 'approved' })
  })
})

test('another merchant’s transaction is not refunded: error 128', async () => {
  const other = { id: 2, password: 'password 2', secret: 'secret 2' }
  const both = await startGateway({ merchants: [MERCHANT, other] })
  const { id } = (await both.post('/v1/transactions', payment())).body
  const sent = { transaction_id: id, amount: '1.00', reason: 'x' }
  expect((await both.as(other).post('/v1/refunds', sent)).body.code).toBe(128)
  const made = (await both.post<Refund>('/v1/refunds', sent)).body
  expect((await both.as(other).get(`/v1/refunds/${made.id}`)).body.code).toBe(196)
  expect((await both.as(other).get<Refund[]>('/v1/refunds')).body).toEqual([])
  await both.close()
})
