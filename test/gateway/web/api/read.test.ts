import { describe, expect, test } from 'vitest'
import { MERCHANT, payment, prepared } from '../../../helpers/gateway.ts'
import { sharedGateway } from '../../../helpers/shared-gateway.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER] })

const create = async (over = {}) => (await shop.post('/v1/transactions', payment(over))).body

describe('GET of one transaction', () => {
  for (const tail of ['', '/', '?', '?unknown=1'])
    test(`returns it at its address followed by "${tail}"`, async () => {
      const made = await create()
      const { status, body } = await shop.get(`/v1/transactions/${made.id}${tail}`)
      expect({ status, body }).toEqual({ status: 200, body: made })
    })

  for (const id of [
    '999999',
    '0',
    '-1',
    '01',
    '1e3',
    '0x1',
    '9007199254740993',
    '9223372036854775808',
    'abc',
    '%20',
    '1%00',
  ])
    test(`a GET of ${id} finds no transaction: error 128`, async () => {
      const { status, body } = await shop.get(`/v1/transactions/${id}`)
      expect({ status, code: body.code }).toEqual({ status: 404, code: 128 })
    })

  test('a GET of another merchant’s transaction is answered like an unknown id', async () => {
    const { id } = await create()
    const foreign = await shop.as(OTHER).get(`/v1/transactions/${id}`)
    const unknown = await shop.as(OTHER).get('/v1/transactions/999999')
    expect({ status: foreign.status, body: foreign.body }).toEqual({
      status: unknown.status,
      body: unknown.body,
    })
  })
})

describe('the parameter extend', () => {
  const full = {
    ref: 'c42',
    metadata: null,
    created_at: '2026-03-14T12:00:00Z',
    id: expect.any(Number),
  }

  test('can be omitted: then references contain only an id', async () => {
    const { body } = await shop.get(
      `/v1/transactions/${(await create({ customer_ref: 'c42', store_card: true })).id}`,
    )
    expect(body.customer).toEqual({ id: expect.any(Number) })
    expect(body.stored_card).toEqual({ id: expect.any(Number) })
  })

  test('=customer shows the customer, on one transaction and in a list', async () => {
    const { id } = await create({ customer_ref: 'c42' })
    expect(
      (await shop.get(`/v1/transactions/${id}`, { extend: 'customer' })).body.customer,
    ).toEqual(full)
    const { body } = await shop.get<unknown[]>('/v1/transactions', {
      extend: 'customer',
      'filter[id]': id,
    })
    expect(body).toMatchObject([{ customer: full }])
  })

  test('=stored_card shows the card with its token', async () => {
    const { id } = await create({ store_card: true })
    const { body } = await shop.get(`/v1/transactions/${id}`, { extend: 'stored_card' })
    expect(body.stored_card).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      status: 'active',
    })
  })

  for (const both of ['customer,stored_card', ' STORED_CARD , customer,'])
    test(`="${both}" shows both`, async () => {
      const { id } = await create({ customer_ref: 'c42', store_card: true })
      const { body } = await shop.get(`/v1/transactions/${id}`, { extend: both })
      expect(body).toMatchObject({ customer: full, stored_card: { customer: full } })
    })

  test('works on a POST, in the query or among the fields', async () => {
    const inQuery = await shop.post(
      '/v1/transactions?extend=customer',
      payment({ customer_ref: 'c42' }),
    )
    const inBody = await shop.post(
      '/v1/transactions',
      payment({ customer_ref: 'c42', extend: 'customer' }),
    )
    expect([inQuery.body.customer, inBody.body.customer]).toEqual([full, full])
  })

  test('=anything else is ignored', async () => {
    const made = await create({ customer_ref: 'c42' })
    expect(
      (await shop.get(`/v1/transactions/${made.id}`, { extend: 'merchant,secret,__proto__' })).body,
    ).toEqual(made)
  })
})

describe('the list', () => {
  for (const path of [
    '/v1/transactions',
    '/v1/transactions/',
    '/v1/transactions/?',
    '/v1/transactions///?a=//',
    '/v1/transactions?limit=1&offset=0',
  ])
    test(`is at the address ${path}`, async () => {
      const { id } = await create()
      const { status, headers, body } = await shop.get<{ id: number }[]>(path)
      expect(status).toBe(200)
      expect(body[0]?.id).toBe(id)
      expect(headers.get('content-range')).toMatch(/^items 1-\d+\/\d+$/)
    })

  test('shows each transaction as a GET of it does', async () => {
    const { id } = await create({
      customer_ref: 'c42',
      metadata: '{"a":1}',
      webhook: '{"trigger":"payment","email":"a@b.example"}',
    })
    const one = await shop.get(`/v1/transactions/${id}`)
    expect((await shop.get<unknown[]>('/v1/transactions', { 'filter[id]': id })).body).toEqual([
      one.body,
    ])
  })

  test('accepts brackets with and without percent-encoding', async () => {
    const { id, payment_ref } = await create()
    for (const query of [
      `filter[payment_ref]=${payment_ref}`,
      `filter%5Bpayment_ref%5D=${payment_ref}`,
    ])
      expect((await shop.get<unknown[]>(`/v1/transactions/?${query}`)).body).toMatchObject([{ id }])
  })

  test('contains and counts only the merchant’s own transactions', async () => {
    await create()
    const other = shop.as(OTHER)
    expect((await other.get<unknown[]>('/v1/transactions')).headers.get('content-range')).toBe(
      'items 0-0/0',
    )
    await other.post('/v1/transactions', prepared())
    const { headers, body } = await other.get<unknown[]>('/v1/transactions')
    expect(body).toMatchObject([{ merchant_id: 2 }])
    expect(headers.get('content-range')).toBe('items 1-1/1')
  })
})
