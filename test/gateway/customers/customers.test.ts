import { beforeAll, describe, expect, test } from 'vitest'
import type {
  ApiError,
  Customer,
  Plan,
  StoredCard,
  Subscription,
  Transaction,
} from '../../../mock-gateway/contract/wire.ts'
import { CARD, type Fields, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

type CustomerOrError = Customer & ApiError

const shop = await sharedGateway()

const create = async (fields?: Fields) =>
  (await shop.post<CustomerOrError>('/v1/customers', fields)).body
const read = async (id: number) => (await shop.get<CustomerOrError>(`/v1/customers/${id}`)).body
const change = async (id: number, fields: Fields) =>
  (await shop.put<CustomerOrError>(`/v1/customers/${id}`, fields)).body
const remove = (id: number) => shop.send<CustomerOrError>('DELETE', `/v1/customers/${id}`)

describe('a customer', () => {
  test('can be created without parameters', async () => {
    const { status, body } = await shop.send<Customer>('POST', '/v1/customers')
    expect(status).toBe(200)
    expect(body).toEqual({
      id: expect.any(Number),
      created_at: new Date(shop.clock.now()).toISOString().replace('.000', ''),
      ref: null,
      metadata: null,
    })
    expect((await create()).id).not.toBe(body.id)
  })

  test('is created with ref and metadata, and can be read', async () => {
    const created = await create({
      ref: 'c1',
      metadata: '{"email":"kim@example.org","group":{"id":3}}',
    })
    expect(created).toMatchObject({
      ref: 'c1',
      metadata: { email: 'kim@example.org', group: { id: 3 } },
    })
    expect(await read(created.id)).toEqual(created)
  })

  test('can be created with metadata in brackets, and with its ref as customer_ref', async () => {
    expect(await create({ customer_ref: 'c2', 'metadata[group]': 3 })).toMatchObject({
      ref: 'c2',
      metadata: { group: '3' },
    })
  })

  test('can have a ref of 255 characters of any kind', async () => {
    for (const ref of ['x'.repeat(255), '😀'.repeat(255)])
      expect((await create({ ref })).ref).toBe(ref)
  })

  for (const [what, fields, code] of [
    ['a ref of 256 characters', { ref: '😀'.repeat(256) }, 165],
    ['a ref with a line break', { ref: 'a\nb' }, 165],
    ['metadata that are a list', { metadata: '[1]' }, 2091],
    ['metadata that are not JSON', { metadata: '{' }, 149],
  ] as const)
    test(`is rejected with ${what}, when created and when changed: error ${code}`, async () => {
      const known = await create()
      expect(await create(fields)).toMatchObject({ code })
      expect(await change(known.id, fields)).toMatchObject({ code })
      expect(await read(known.id)).toEqual(known)
    })

  test('cannot be created with a ref that exists: error 171', async () => {
    const known = await create({ ref: 'taken' })
    const other = await create({ ref: 'free' })
    for (const refused of [
      await create({ ref: 'taken' }),
      await change(other.id, { ref: 'taken' }),
    ])
      expect(refused).toMatchObject({ code: 171, name: 'errors.customer_ref.taken' })
    expect(await read(other.id)).toEqual(other)
    expect(await change(known.id, { ref: 'taken' })).toEqual(known)
  })
})

describe('an update', () => {
  test('merges metadata into the existing metadata, and keeps the ref', async () => {
    const before = await create({ ref: 'm1', metadata: '{"a":{"b":1,"c":[1,2]},"d":1}' })
    const merged = { ...before, metadata: { a: { b: 2, c: [3] }, d: 1, e: null } }
    expect(await change(before.id, { metadata: '{"a":{"b":2,"c":[3]},"e":null}' })).toEqual(merged)
    expect(await read(before.id)).toEqual(merged)
  })

  test('adds metadata to a customer without metadata', async () => {
    expect(await change((await create()).id, { metadata: '{"a":1}' })).toMatchObject({
      ref: null,
      metadata: { a: 1 },
    })
  })

  test('that has only a ref keeps the metadata', async () => {
    const before = await create({ ref: 'old', metadata: '{"a":1}' })
    const after = { ...before, ref: 'new' }
    expect(await change(before.id, { ref: 'new' })).toEqual(after)
    expect(await read(before.id)).toEqual(after)
    expect(await change(before.id, { customer_ref: 'newer' })).toEqual({ ...before, ref: 'newer' })
  })

  test('can have its parameters in the query and an empty body', async () => {
    const { id } = await create()
    const metadata = encodeURIComponent('{"a":1}')
    expect(
      (await shop.send('PUT', `/v1/customers/${id}?metadata=${metadata}`)).body.metadata,
    ).toEqual({ a: 1 })
  })

  test('an update without fields changes nothing', async () => {
    const before = await create({ ref: 'same', metadata: '{"a":1}' })
    expect(await change(before.id, { ref: '', metadata: '' })).toEqual(before)
  })
})

describe('a deleted customer', () => {
  test('is returned once more, and is not found afterwards: error 142', async () => {
    const known = await create({ ref: 'gone' })
    const { status, body } = await remove(known.id)
    expect({ status, body }).toEqual({ status: 200, body: known })
    for (const { status, body } of [
      await shop.get(`/v1/customers/${known.id}`),
      await shop.get(`/v1/customers/${known.id}/transactions`),
      await shop.put(`/v1/customers/${known.id}`, { ref: 'back' }),
      await remove(known.id),
    ])
      expect({ status, code: body.code }).toEqual({ status: 404, code: 142 })
    expect((await shop.get<Customer[]>('/v1/customers', { 'filter[ref]': 'gone' })).body).toEqual(
      [],
    )
  })

  test('frees its ref for another customer', async () => {
    const first = await create({ ref: 'again' })
    await remove(first.id)
    const second = await create({ ref: 'again' })
    expect(second.ref).toBe('again')
    expect(second.id).not.toBe(first.id)
  })

  test('leaves its transactions and stored cards, which still name it', async () => {
    const { id, stored_card, customer } = await pay({ customer_ref: 'leaver', store_card: true })
    await remove(customer?.id ?? 0)
    const extend = { extend: 'customer' }
    const left = (await shop.get(`/v1/transactions/${id}`, extend)).body
    expect(left).toMatchObject({
      status: 'approved',
      ref: 'leaver',
      customer: { id: customer?.id },
    })
    const card = (await shop.get<StoredCard>(`/v1/stored_cards/${stored_card?.id}`, extend)).body
    expect(card).toMatchObject({ status: 'active', customer: { id: customer?.id } })
    expect((await pay({ customer_ref: 'leaver' })).customer).not.toEqual(customer)
  })
})

describe('customers', () => {
  test('are listed, newest first, and found by ref', async () => {
    const [first, second] = [await create({ ref: 'found 1' }), await create({ ref: 'found 2' })]
    const { headers, body } = await shop.get('/v1/customers', { 'filter[ref]': 'found *' })
    expect(body).toEqual([second, first])
    expect(headers.get('content-range')).toBe('items 1-2/2')
    expect((await shop.get('/v1/customers', { 'filter[ref]': 'found 1' })).body).toEqual([first])
    expect((await shop.get('/v1/customers', { 'filter[ref]': 'found' })).body).toEqual([])
    expect((await shop.get('/v1/customers', { limit: 1 })).body).toEqual([second])
  })

  test('are created once for each customer_ref of payments', async () => {
    const [{ customer }, again] = [
      await pay({ customer_ref: 'payer' }),
      await pay({ customer_ref: 'payer' }),
    ]
    expect(again.customer).toEqual(customer)
    expect(await read(customer?.id ?? 0)).toMatchObject({ ref: 'payer', metadata: null })
  })
})

const pay = async (over: Fields) => (await shop.post('/v1/transactions', payment(over))).body

describe('a list of a customer’s objects contains', () => {
  let kim: Transaction
  let path: string
  beforeAll(async () => {
    const terms = {
      name: 'Monthly',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
    }
    const plan = (await shop.post<Plan>('/v1/plans', terms)).body
    kim = await pay({ customer_ref: 'kim', plan_id: plan.id })
    await pay({ customer_ref: 'anna', plan_id: plan.id })
    path = `/v1/customers/${kim.customer?.id}`
  })

  test('its transactions', async () => {
    const more = await pay({ customer_ref: 'kim', authorize: true })
    const { headers, body } = await shop.get<Transaction[]>(`${path}/transactions`)
    expect(body.map(({ id }) => id)).toEqual([more.id, kim.id])
    expect(headers.get('content-range')).toBe('items 1-2/2')
    const found = await shop.get<Transaction[]>(`${path}/transactions`, {
      'filter[status]': 'authorized',
    })
    expect(found.body.map(({ id }) => id)).toEqual([more.id])
    const [extended] = (
      await shop.get<Transaction[]>(`${path}/transactions`, { extend: 'customer' })
    ).body
    expect(extended?.customer).toMatchObject({ ref: 'kim' })
  })

  test('its stored cards', async () => {
    const { headers, body } = await shop.get<StoredCard[]>(`${path}/stored_cards`)
    expect(body).toMatchObject([{ id: kim.stored_card?.id, customer: { id: kim.customer?.id } }])
    expect(headers.get('content-range')).toBe('items 1-1/1')
  })

  test('its subscriptions', async () => {
    const { headers, body } = await shop.get<Subscription[]>(`${path}/subscriptions`)
    expect(body).toMatchObject([{ id: kim.subscription?.id, customer: { id: kim.customer?.id } }])
    expect(headers.get('content-range')).toBe('items 1-1/1')
  })

  test('is empty if the customer has no objects', async () => {
    const { id } = await create()
    for (const what of ['transactions', 'stored_cards', 'subscriptions'])
      expect((await shop.get<unknown[]>(`/v1/customers/${id}/${what}`)).body).toEqual([])
  })

  test('is not found for a customer of another merchant: error 142', async () => {
    for (const what of ['', '/transactions', '/stored_cards', '/subscriptions'])
      for (const id of ['999999', 'kim'])
        expect((await shop.get(`/v1/customers/${id}${what}`)).body.code).toBe(142)
  })
})

describe('the owner of a new stored card is', () => {
  const store = async (fields: Fields) =>
    (
      await shop.post<StoredCard & ApiError>('/v1/stored_cards', {
        ...CARD,
        card_type: 'VISA',
        currency: 'sek',
        test: true,
        ...fields,
      })
    ).body

  test('the customer that customer_id names', async () => {
    const { id } = await create()
    expect((await store({ customer_id: id })).customer).toEqual({ id })
  })

  test('the customer of a customer_ref, known or new', async () => {
    const { id } = await create({ ref: 'stores' })
    expect((await store({ customer_ref: 'stores' })).customer).toEqual({ id })
    const { customer } = await store({ customer_ref: 'stores first' })
    expect(await read(customer?.id ?? 0)).toMatchObject({ ref: 'stores first' })
  })

  test('no customer if customer_id is unknown, even if the customer_ref is known: error 142', async () => {
    await create({ ref: 'not meant' })
    for (const over of [{}, { customer_ref: 'not meant' }, { customer_ref: 'nor this' }])
      expect(await store({ customer_id: 999_999, ...over })).toMatchObject({
        code: 142,
        name: 'errors.customer.not_found',
      })
    expect(
      (await shop.get<Customer[]>('/v1/customers', { 'filter[ref]': 'nor this' })).body,
    ).toEqual([])
  })
})
