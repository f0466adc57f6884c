import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { ApiError, Refund } from '../../../mock-gateway/contract/wire.ts'
import { type Fields, MERCHANT, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const shop = await sharedGateway()

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const pay = (over: Fields = {}) => create(payment(over))
const reserve = (over: Fields = {}) => pay({ authorize: true, ...over })
const read = async (id: number) => (await shop.get(`/v1/transactions/${id}`)).body

const capture = async (id: number, amount: string | undefined) =>
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

test('the response hash covers the current amount and status', async () => {
  const reserved = await reserve()
  const captured = await capture(reserved.id, '4.00')
  const hashOf = (text: string) =>
    createHash('md5').update(`1${reserved.payment_ref}${text}${MERCHANT.secret}`).digest('hex')
  expect(reserved.response_hash).toBe(hashOf('10.00sekauthorized'))
  expect(captured.response_hash).toBe(hashOf('4.00sekapproved'))
})

describe('a refund', () => {
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

  test('a second release gets error 134', async () => {
    const { id } = await reserve()
    await refund(id, '4.00')
    expect(await refund(id, '4.00')).toMatchObject({ code: 134, name: 'errors.amount.excess' })
    expect((await read(id)).refunds).toHaveLength(1)
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
      expect(await capture(before.id, amount)).toMatchObject({
        code: 109,
        name: 'errors.amount.invalid',
      })
      expect(await read(before.id)).toEqual(before)
    })

  test('a capture of a reservation that a refund has released gets error 155', async () => {
    const { id } = await reserve()
    await refund(id, '1.00')
    const released = await read(id)
    expect(await capture(id, '9.00')).toMatchObject({
      code: 155,
      name: 'errors.reservation.not_approved',
    })
    expect(await read(id)).toEqual(released)
  })
})
