import { expect } from 'vitest'
import { CARD, type Fields, hashed, MERCHANT } from '../../helpers/gateway.ts'
import { encrypt } from './encrypt.ts'
import { type HeldRow, row, type Section } from './rows.ts'
import { ITEMS, type World } from './world.ts'

/** Checks that an update without processing changes these values. */
const changes =
  (sent: Fields, answered: object): HeldRow['holds'] =>
  async ({ prepare, put }) => {
    const { id } = (await prepare()).body
    expect((await put(`/v1/transactions/${id}`, { process: false, ...sent })).body).toMatchObject(
      answered,
    )
  }

/**
 * Checks that an update that pays a prepared transaction is rejected with this code if it lacks
 * this parameter.
 */
const neededToPay =
  (name: keyof typeof CARD, code: number): HeldRow['holds'] =>
  async ({ prepare, put }) => {
    const { id } = (await prepare()).body
    expect((await put(`/v1/transactions/${id}`, { ...CARD, [name]: undefined })).body.code).toBe(
      code,
    )
    expect((await put(`/v1/transactions/${id}`, { process: false })).status).toBe(200)
    expect((await put(`/v1/transactions/${id}`, CARD)).body.status).toBe('approved')
  }

export const UPDATE_TRANSACTION: Section = {
  title: 'Update transaction',
  rows: [
    row('is allowed only when the transaction exists', async ({ put }) =>
      expect((await put('/v1/transactions/999999', { process: false })).body.code).toBe(128),
    ),
    row('is allowed only when the transaction is not approved', async ({ put, paid }) =>
      expect((await put(`/v1/transactions/${paid.id}`, CARD)).body.code).toBe(153),
    ),
    row('card_holder: required unless process=false', neededToPay('card_holder', 122)),
    row('card_number: required unless process=false', neededToPay('card_number', 118)),
    row('card_cvv: required unless process=false', neededToPay('card_cvv', 124)),
    row('card_expiry: required unless process=false', neededToPay('card_expiry', 126)),
    row('currency', changes({ currency: 'EUR' }, { currency: 'eur' })),
    row('card_type', async ({ prepare, put }) => {
      const { id } = (await prepare()).body
      const mastercard = { ...CARD, card_number: '5555555555554444' }
      const pay = async (card_type: string) =>
        (await put(`/v1/transactions/${id}`, { ...mastercard, card_type })).body
      expect((await pay('MASTERCARDS')).code).toBe(121)
      expect((await pay('MASTERCARD')).card_type).toBe('MASTERCARD')
    }),
    row('encrypted', async ({ prepare, put }) => {
      const { id } = (await prepare()).body
      const hidden = { card_number: encrypt(CARD.card_number), encrypted: 'card_number' }
      expect((await put(`/v1/transactions/${id}`, { ...CARD, ...hidden })).body.status).toBe(
        'approved',
      )
    }),
    row('items: array', changes({ items: JSON.stringify(ITEMS) }, { items: ITEMS })),
    row('metadata: object', changes({ metadata: '{"a":1}' }, { metadata: { a: 1 } })),
    row('amount', changes({ amount: '20.00' }, { amount: '20.00' })),
    row('vat_amount', changes({ vat_amount: '4.00' }, { vat_amount: '4.00' })),
    row('customer_ref', changes({ customer_ref: 'c8' }, { ref: 'c8' })),
    row('hash', async ({ prepare, put }) => {
      const { id, payment_ref } = (await prepare()).body
      const { hash } = hashed(
        { amount: '20.00', currency: 'sek', payment_ref, test: true },
        MERCHANT,
      )
      const sent = { process: false, amount: '20.00' }
      expect((await put(`/v1/transactions/${id}`, { ...sent, hash: 'wrong' })).body.code).toBe(107)
      expect((await put(`/v1/transactions/${id}`, { ...sent, hash })).body.request_hash).toBe(hash)
    }),
    row(
      'swish_number',
      changes(
        { payment_method: 'swish', swish_number: '46701234567' },
        { payment_details: { swish_number: '46701234567' } },
      ),
    ),
    row('process: boolean, true by default', async ({ prepare, put }) => {
      for (const [process, status] of [
        [false, 'pending'],
        [true, 'approved'],
        [undefined, 'approved'],
      ] as const) {
        const { id } = (await prepare()).body
        expect((await put(`/v1/transactions/${id}`, { ...CARD, process })).body.status).toBe(status)
      }
    }),
    row(
      'metadata with process=false on a processed transaction is merged into what is there',
      async ({ pay, put }) => {
        const { id } = (await pay({ metadata: '{"a":{"b":1}}' })).body
        const { body } = await put(`/v1/transactions/${id}`, {
          process: false,
          metadata: '{"a":{"c":2}}',
        })
        expect(body.metadata).toEqual({ a: { b: 1, c: 2 } })
      },
    ),
    row('the response is the transaction', async ({ prepare, put, get }) => {
      const { id } = (await prepare()).body
      expect((await put(`/v1/transactions/${id}`, { process: false })).body).toEqual(
        (await get(`/v1/transactions/${id}`)).body,
      )
    }),
  ],
}

const capture = async ({ pay, put }: World, amount: string | undefined, order: Fields = {}) => {
  const { id } = (await pay({ authorize: true, ...order })).body
  return (await put(`/v1/transactions/${id}/capture`, { amount })).body
}

export const CAPTURE: Section = {
  title: 'Capture',
  rows: [
    row('amount: decimal, required', async (world) =>
      expect((await capture(world, undefined)).code).toBe(109),
    ),
    row('amount may be lower than the authorized amount', async (world) =>
      expect(await capture(world, '4.00')).toMatchObject({
        status: 'approved',
        amount: '4.00',
        org_auth_amount: 10,
      }),
    ),
    row('amount may not be higher', async (world) =>
      expect((await capture(world, '10.01')).code).toBe(134),
    ),
    row('same decimals rules as create', async (world) =>
      expect((await capture(world, '99.50', { currency: 'JPY', amount: '100.00' })).code).toBe(109),
    ),
    row('a wrongly formatted amount produces an invalid-amount error', async (world) =>
      expect((await capture(world, '4')).name).toBe('errors.amount.invalid'),
    ),
    row(
      'is allowed only for a previously authorized transaction',
      async ({ put, pending, paid }) => {
        expect(
          (await put(`/v1/transactions/${pending.id}/capture`, { amount: '1.00' })).body.code,
        ).toBe(155)
        expect(
          (await put(`/v1/transactions/${paid.id}/capture`, { amount: '1.00' })).body.code,
        ).toBe(153)
      },
    ),
  ],
}
