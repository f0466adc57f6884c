import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CARD, type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const shop = await sharedGateway()

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const update = (id: number, fields: Fields) => shop.put(`/v1/transactions/${id}`, fields)

describe('a pending transaction', () => {
  test('stores nothing of a rejected update', async () => {
    const before = await create(prepared())
    await update(before.id, {
      ...CARD,
      amount: '99.00',
      metadata: '{"a":1}',
      card_number: '4111111111111112',
    })
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
  })

  for (const [what, over, code] of [
    ['an unknown currency', { currency: 'xxx' }, 117],
    ['items that are not a list', { items: '{"a":1}' }, 254],
    ['metadata that are not an object', { metadata: '[1]' }, 2091],
  ] as const)
    test(`rejects ${what}: error ${code}`, async () => {
      const { id } = await create(prepared())
      expect((await update(id, { process: false, ...over })).body.code).toBe(code)
    })

  test('can be changed in every field that creating accepts', async () => {
    const before = await create(prepared())
    const { body } = await update(before.id, {
      process: false,
      payment_ref: 'another-1',
      test: false,
      authorize: true,
      store_card: true,
    })
    expect(body).toMatchObject({
      id: before.id,
      payment_ref: 'another-1',
      test: false,
      authorize: true,
    })
  })

  test('is reserved instead of charged, and its card stored, if the paying update requests it', async () => {
    const { id } = await create(prepared())
    const { body } = await update(id, { ...CARD, authorize: true, store_card: true })
    expect(body).toMatchObject({ status: 'authorized', stored_card: { id: expect.any(Number) } })
  })

  test('cannot take the payment_ref of a paid transaction: error 146', async () => {
    const { payment_ref } = await create(payment({ authorize: true }))
    const before = await create(prepared())
    for (const fields of [{ process: false }, CARD, { ...CARD, card_cvv: '201' }])
      expect((await update(before.id, { ...fields, payment_ref })).body.code).toBe(146)
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
  })

  test('cannot be paid after another payment with its payment_ref: error 146, but every other field can change', async () => {
    const fields = prepared()
    const [paid, left] = [await create(fields), await create(fields)]
    expect((await update(paid.id, CARD)).body.status).toBe('approved')
    for (const card of [CARD, { ...CARD, card_cvv: '201' }, { ...CARD, card_number: '1' }])
      expect((await update(left.id, card)).body.code).toBe(146)
    expect((await shop.get(`/v1/transactions/${left.id}`)).body).toEqual(left)
    const { payment_ref } = fields
    const changed = { process: false, amount: '11.00', payment_ref, metadata: '{"a":1}' }
    expect((await update(left.id, changed)).body).toMatchObject({
      status: 'pending',
      amount: '11.00',
      payment_ref,
    })
    expect(
      (await update(paid.id, { process: false, payment_ref, metadata: '{"a":1}' })).status,
    ).toBe(200)
  })
})

describe('the hash of an update', () => {
  for (const [whose, customerRef] of [
    ['the customer it has', 'c1'],
    ['nobody, as of a payer who has logged out', ''],
  ] as const)
    test(`can include ${whose} if no customer_ref is sent`, async () => {
      const { id, payment_ref } = await create(prepared({ customer_ref: 'c1' }))
      const hash = md5(`1${payment_ref}${customerRef}10.00sektest${MERCHANT.secret}`)
      for (const sent of [{}, { customer_ref: '' }])
        expect((await update(id, { process: false, hash, ...sent })).body.request_hash).toBe(hash)
      expect((await update(id, { process: false, hash, customer_ref: 'c2' })).body.code).toBe(107)
    })
})

/** Fields that an authorized transaction still accepts. */
const BESIDE_THE_MONEY = [
  ['items', { process: false, items: '[{"artno":"A","amount":"2.00"}]' }],
  ['tax', { process: false, vat_amount: '2.00' }],
  ['another customer', { process: false, customer_ref: 'c1' }],
] as const

describe('a processed transaction', () => {
  for (const [status, over] of [
    ['approved', {}],
    ['authorized', { authorize: true }],
  ] as const) {
    for (const [what, fields] of [
      ['metadata without process=false', { metadata: '{"a":1}' }],
      ['a second payment', CARD],
      ['a card', { process: false, ...CARD }],
      ['another amount', { process: false, amount: '1.00' }],
      ['another currency', { process: false, currency: 'eur' }],
      ['another payment_ref', { process: false, payment_ref: 'another-2' }],
      ['another test', { process: false, test: false }],
      ['another method', { process: false, payment_method: 'swish', swish_number: '0701234567' }],
      ['a plan', { process: false, plan_id: 1 }],
      ['another address', { process: false, 'payment_details[city]': 'Umeå' }],
      ['nothing', {}],
      ...(status === 'approved' ? BESIDE_THE_MONEY : []),
    ] as const)
      test(`a transaction that is ${status} rejects ${what} with error 153`, async () => {
        const before = await create(payment(over))
        expect((await update(before.id, fields)).body.code).toBe(153)
        expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
      })

    test(`a transaction that is ${status} accepts its own values, and does not change`, async () => {
      const fields = payment({ customer_ref: 'c7', metadata: '{"a":1}', ...over })
      const before = await create(fields)
      const { card_number, card_holder, card_cvv, card_expiry, ...order } = fields
      const { status, body } = await update(before.id, {
        ...order,
        amount: '10.00',
        currency: 'SEK',
        process: false,
      })
      expect({ status, body }).toEqual({
        status: 200,
        body: { ...before, log_events: body.log_events },
      })
    })
  }

  test('keeps the digits and the type of the numbers in its metadata', async () => {
    const { id } = await create(
      payment({ metadata: '{"a":[1e21,12345678901234567890],"b":{"c":1.50}}' }),
    )
    const json = { 'content-type': 'application/json' }
    await shop.send(
      'PUT',
      `/v1/transactions/${id}`,
      '{"process":false,"metadata":{"b":{"d":1E-7}}}',
      json,
    )
    const headers = { authorization: `Basic ${btoa(`${MERCHANT.id}:${MERCHANT.password}`)}` }
    const answer = await shop.gateway.handle(
      new Request(`http://localhost:4400/v1/transactions/${id}`, { headers }),
    )
    expect(await answer.text()).toContain(
      '{"a":[1e21,12345678901234567890],"b":{"c":1.50,"d":1E-7}}',
    )
  })
})
