import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { CARD, type Fields, MERCHANT, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { ITEM, invoice } from '../payment-methods/fields.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })

const create = async (fields: Fields) => (await shop.post('/v1/transactions', fields)).body
const update = (id: number, fields: Fields) => shop.put(`/v1/transactions/${id}`, fields)
/**
 * Returns the id of the transaction with the payment_ref of these fields. Declined payments are
 * stored, too.
 */
async function kept(fields: Fields) {
  const { body } = await shop.get<{ id: number }[]>('/v1/transactions', {
    'filter[payment_ref]': fields.payment_ref,
  })
  return body[0]?.id as number
}

describe('a pending transaction', () => {
  test('is paid with an update that has card data', async () => {
    const { id, href } = await create(prepared())
    const { status, body } = await update(id, CARD)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      id,
      href,
      status: 'approved',
      card_number: '411111******1111',
      org_auth_amount: 10,
    })
  })

  test('is reserved if it was prepared with authorize=true', async () => {
    expect((await update((await create(prepared({ authorize: true }))).id, CARD)).body.status).toBe(
      'authorized',
    )
  })

  test('stores the card if it was prepared with store_card=true', async () => {
    const { body } = await update((await create(prepared({ store_card: true }))).id, CARD)
    expect(body.stored_card).toEqual({ id: expect.any(Number) })
  })

  test('is changed with process=false and stays pending, with the same id and href', async () => {
    const before = await create(prepared({ metadata: '{"a":1}' }))
    const { body } = await update(before.id, {
      process: false,
      amount: '25.50',
      vat_amount: '5.10',
      currency: 'EUR',
      customer_ref: 'c9',
      items: '[{"artno":"A","description":"Cup","amount":"25.50","qty":"1","vat":"25"}]',
      metadata: '{"b":2}',
      'payment_details[city]': 'Umeå',
    })
    expect(body).toMatchObject({
      id: before.id,
      href: before.href,
      status: 'pending',
      amount: '25.50',
      vat_amount: '5.10',
      currency: 'eur',
      ref: 'c9',
      customer: { id: expect.any(Number) },
      items: [{ artno: 'A', amount: '25.50' }],
      metadata: { a: 1, b: 2 },
      payment_details: { city: 'Umeå' },
    })
  })

  test('is charged with the amount and currency of the same update', async () => {
    const { id } = await create(prepared())
    const { body } = await update(id, { ...CARD, amount: '7.00', currency: 'nok' })
    expect(body).toMatchObject({
      status: 'approved',
      amount: '7.00',
      currency: 'nok',
      org_auth_amount: 7,
    })
  })

  test('can be updated with parameters in the query', async () => {
    const { id } = await create(prepared())
    const { body } = await shop.send(
      'PUT',
      `/v1/transactions/${id}?process=false&amount=3.00&metadata[a][b]=1`,
    )
    expect(body).toMatchObject({ status: 'pending', amount: '3.00', metadata: { a: { b: '1' } } })
  })

  for (const [missing, code] of [
    ['card_number', 118],
    ['card_holder', 122],
    ['card_cvv', 124],
    ['card_expiry', 126],
  ] as const)
    test(`needs ${missing} to be paid: error ${code}`, async () => {
      const { id } = await create(prepared())
      expect((await update(id, { ...CARD, [missing]: undefined })).body.code).toBe(code)
      expect((await shop.get(`/v1/transactions/${id}`)).body.status).toBe('pending')
    })

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
    ['a negative amount', { amount: '-1.00' }, 108],
    ['an unknown currency', { currency: 'xxx' }, 117],
    ['items that are not a list', { items: '{"a":1}' }, 254],
    ['metadata that are not an object', { metadata: '[1]' }, 2091],
    ['another merchant_id', { merchant_id: 2 }, 202],
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

  test('keeps its payment method if an update with process=false has card data', async () => {
    const { id } = await create(prepared({ payment_method: 'swish', swish_number: '0701234567' }))
    expect((await update(id, { process: false, ...CARD })).body.payment_method).toBe('swish')
  })

  test('cannot take the payment_ref of a paid transaction: error 146', async () => {
    const { payment_ref } = await create(payment({ authorize: true }))
    const before = await create(prepared())
    for (const fields of [{ process: false }, CARD, { ...CARD, card_cvv: '201' }])
      expect((await update(before.id, { ...fields, payment_ref })).body.code).toBe(146)
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
  })

  test('can take the payment_ref of an unpaid transaction', async () => {
    const { payment_ref } = await create(prepared())
    const { id } = await create(prepared())
    expect((await update(id, { process: false, payment_ref })).body).toMatchObject({
      id,
      payment_ref,
    })
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

  test('ignores fields that an update cannot change', async () => {
    const before = await create(prepared())
    const { body } = await update(before.id, {
      process: false,
      status: 'approved',
      success_url: 'https://evil.example',
      id: 1,
      href: 'x',
    })
    expect(body).toEqual({ ...before, log_events: body.log_events })
  })
})

describe('the hash of an update', () => {
  test('can be omitted', async () => {
    expect(
      (await update((await create(prepared())).id, { process: false, amount: '1.00' })).status,
    ).toBe(200)
  })

  test('covers the new amount, and the stored values of fields that are not sent', async () => {
    const { id, payment_ref } = await create(prepared({ customer_ref: 'c1' }))
    const hash = md5(`1${payment_ref}c11.50sektest${MERCHANT.secret}`)
    const { status, body } = await update(id, { process: false, amount: '1.50', hash })
    expect(status).toBe(200)
    expect(body.request_hash).toBe(hash)
  })

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

  test('the hash of a processed transaction is checked, but not stored', async () => {
    const before = await create(payment())
    const hash = md5(`1${before.payment_ref}10.00sek${MERCHANT.secret}`)
    expect((await update(before.id, { process: false, hash })).body.request_hash).toBe(
      before.request_hash,
    )
    expect((await update(before.id, { process: false, hash: 'wrong' })).body.code).toBe(107)
  })

  test('is rejected with error 107 if it is wrong, and nothing changes', async () => {
    const before = await create(prepared())
    const refused = await update(before.id, {
      process: false,
      amount: '1.50',
      hash: before.request_hash ?? '',
    })
    expect(refused.body.code).toBe(107)
    expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
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
    test(`a transaction that is ${status} accepts metadata with process=false and merges it`, async () => {
      const before = await create(
        payment({ metadata: '{"order":{"id":1,"rows":[1,2]},"x":1}', ...over }),
      )
      const { body } = await update(before.id, {
        process: false,
        metadata: '{"order":{"no":"7","rows":[3]},"y":null}',
      })
      expect(body).toEqual({
        ...before,
        metadata: { order: { id: 1, no: '7', rows: [3] }, x: 1, y: null },
        log_events: [...before.log_events, expect.objectContaining({ event_type: 'payment' })],
      })
    })

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

  for (const [what, fields] of BESIDE_THE_MONEY)
    test(`a transaction that is authorized accepts ${what}, because it is not approved yet`, async () => {
      const { id } = await create(payment({ authorize: true }))
      const { status, body } = await update(id, fields)
      expect({ status, state: body.status, amount: body.amount }).toEqual({
        status: 200,
        state: 'authorized',
        amount: '10.00',
      })
      expect(JSON.stringify(body)).toContain(
        Object.values(fields).includes('c1') ? '"ref":"c1"' : '"2.00"',
      )
    })

  test('can be sent again with its original amount after a part was captured', async () => {
    const { id } = await create(payment({ authorize: true }))
    await shop.put(`/v1/transactions/${id}/capture`, { amount: '5.00' })
    expect((await update(id, { process: false, amount: '10.00' })).body.amount).toBe('5.00')
    expect((await update(id, { process: false, amount: '7.00' })).body.code).toBe(153)
  })

  test('can be sent again after its customer was deleted, and creates no customer', async () => {
    const { id, customer } = await create(payment({ customer_ref: 'gone' }))
    await shop.send('DELETE', `/v1/customers/${customer?.id}`)
    expect((await update(id, { process: false, customer_ref: 'gone' })).status).toBe(200)
    expect((await shop.get('/v1/customers', { 'filter[ref]': 'gone' })).body).toEqual([])
  })

  test('a transaction that was paid with a token can be sent again as a card payment', async () => {
    const { id: owner } = await create(payment({ store_card: true }))
    const { body } = await shop.get<{ stored_card: { token: string } }>(
      `/v1/transactions/${owner}`,
      {
        extend: 'stored_card',
      },
    )
    const token = { card_number: body.stored_card.token, card_type: 'STORED_CARD' }
    const { id } = await create({ ...prepared({ process: undefined, authorize: true }), ...token })
    const again = await update(id, {
      process: false,
      payment_method: 'credit_card',
      'metadata[a]': 1,
    })
    expect(again.body).toMatchObject({
      status: 'authorized',
      payment_method: 'stored',
      metadata: { a: '1' },
    })
  })

  test('a transaction that is an invoice can be sent again, but its items must still add up', async () => {
    const fields = invoice({ personal_number: '19900602-2397', country_code: 'SE' })
    const { id } = await create(fields)
    const { payment_details, items } = fields
    expect((await update(id, { process: false, payment_details, items })).body.status).toBe(
      'authorized',
    )
    const more = JSON.stringify([ITEM, ITEM])
    expect((await update(id, { process: false, items: more })).body.code).toBe(260)
    const moved = JSON.stringify({ ...JSON.parse(String(payment_details)), city: 'Umeå' })
    expect((await update(id, { process: false, payment_details: moved })).body.code).toBe(153)
  })

  test('replaces lists in its metadata as a whole, and never merges their items', async () => {
    const rows = {
      'metadata[rows][0][sku]': 'A',
      'metadata[rows][0][qty]': '1',
      'metadata[rows][1][sku]': 'B',
    }
    const { id, metadata } = await create(payment(rows))
    expect(metadata).toEqual({ rows: [{ sku: 'A', qty: '1' }, { sku: 'B' }] })
    const { body } = await update(id, { process: false, 'metadata[rows][0][sku]': 'C' })
    expect(body.metadata).toEqual({ rows: [{ sku: 'C' }] })
  })

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

  test('stores keys such as __proto__ in its metadata as ordinary keys', async () => {
    const { id } = await create(payment({ metadata: '{"a":1}' }))
    const { metadata } = (
      await update(id, { process: false, metadata: '{"a":{"__proto__":{"x":1}}}' })
    ).body
    expect(JSON.stringify(metadata)).toBe('{"a":{"__proto__":{"x":1}}}')
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('a declined transaction', () => {
  test('is paid with another attempt', async () => {
    const fields = payment({ card_cvv: '201' })
    await create(fields)
    const { status, body } = await update(await kept(fields), CARD)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'approved',
      error: null,
      fail_message: '',
      status_details: '',
    })
  })

  test('stays declined after another decline', async () => {
    const fields = payment({ card_cvv: '201' })
    await create(fields)
    const id = await kept(fields)
    expect((await update(id, { ...CARD, card_cvv: '203' })).body.code).toBe(130)
    expect((await shop.get(`/v1/transactions/${id}`)).body).toMatchObject({
      status: 'declined',
      status_details: 'errors.card.expired',
    })
  })

  test('cannot be paid once another transaction has its payment_ref: error 146', async () => {
    const fields = payment({ card_cvv: '201' })
    await create(fields)
    const id = await kept(fields)
    await create({ ...fields, card_cvv: '200' })
    expect((await update(id, CARD)).body.code).toBe(146)
  })
})

for (const id of [
  '999999',
  '0',
  '-1',
  '01',
  '1e3',
  '0x1',
  '9223372036854775808',
  'abc',
  '1%00',
  '..%2f1',
])
  test(`an update of transaction ${id} finds no transaction: error 128`, async () => {
    const { status, body } = await shop.put(`/v1/transactions/${id}`, { process: false })
    expect({ status, code: body.code }).toEqual({ status: 404, code: 128 })
  })

test('another merchant’s transaction is not found and not changed', async () => {
  const before = await create(prepared())
  const { status, body } = await shop
    .as(OTHER)
    .put(`/v1/transactions/${before.id}`, { process: false, amount: '1.00' })
  expect({ status, code: body.code }).toEqual({ status: 404, code: 128 })
  expect((await shop.get(`/v1/transactions/${before.id}`)).body).toEqual(before)
})

test('fields of a subscription have no effect without a plan, and are not reported as unused', async () => {
  const { id } = (await shop.post('/v1/transactions', prepared())).body
  const sent = { metadata: '{"a":"b"}', start_date: '2026-04-01', process: false }
  const { body } = await shop.put(`/v1/transactions/${id}`, sent)
  const told = body.log_events.flatMap(({ data }) =>
    data.event === 'updated' ? [data.parameters] : [],
  )
  expect(told).toEqual([['metadata']])
})
