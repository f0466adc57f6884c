import { describe, expect, test } from 'vitest'
import type {
  ApiError,
  Customer,
  StoredCard,
  Transaction,
} from '../../../mock-gateway/contract/wire.ts'
import { CARD, type Client, type Fields, MERCHANT, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { encrypt } from '../conformance/encrypt.ts'

const STRICT = {
  id: 2,
  password: 'password 2',
  secret: 's2',
  settings: { live_cards: 'refuse' },
} as const
const LIVE = { card_number: '4539148803436467', test: false }
/** A complete card to store. */
const STORABLE = { ...CARD, card_type: 'VISA', currency: 'sek', test: true }

type CardOrError = StoredCard & ApiError

const shop = await sharedGateway({ merchants: [MERCHANT, STRICT] })

const store = (over: Fields = {}, client: Client = shop) =>
  client.post<CardOrError>('/v1/stored_cards', { ...STORABLE, ...over })
const stored = async (over: Fields = {}): Promise<StoredCard> => (await store(over)).body
const change = (id: number, over: Fields) => shop.put<CardOrError>(`/v1/stored_cards/${id}`, over)
const read = async (id: number) => (await shop.get<StoredCard>(`/v1/stored_cards/${id}`)).body
const newCustomer = async (ref: string) =>
  (await shop.post<Customer>('/v1/customers', { ref })).body

/** Counts the stored cards of the merchant. */
const count = async () =>
  (await shop.get('/v1/stored_cards', { limit: 1 })).headers.get('content-range')?.split('/')[1]

describe('a stored card', () => {
  for (const path of ['/v1/stored_cards', '/v1/stored_card'])
    test(`is made, read, listed, changed and cancelled under ${path}`, async () => {
      const { status, body } = await shop.post<StoredCard>(path, STORABLE)
      expect(status).toBe(200)
      expect((await shop.get<StoredCard>(`${path}/${body.id}`)).body).toEqual(body)
      expect((await shop.get<StoredCard[]>(path, { 'filter[id]': body.id })).body).toEqual([body])
      const renamed = { ...body, card_holder: 'Bo Berg' }
      expect((await shop.put(`${path}/${body.id}`, { card_holder: 'Bo Berg' })).body).toEqual(
        renamed,
      )
      expect((await shop.send('DELETE', `${path}/${body.id}`)).body).toEqual({
        ...renamed,
        status: 'cancelled',
      })
    })

  test('is returned with every field and a masked number', async () => {
    const card = await stored({ customer_ref: 'all fields', currency: 'eur' })
    expect(card).toEqual({
      id: expect.any(Number),
      created_at: '2026-03-14T12:00:00Z',
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      card_holder: 'Anna Andersson',
      card_number: '411111******1111',
      card_type: 'VISA',
      status: 'active',
      currency: 'EUR',
      expires: '2030-12-31T23:59:59Z',
      ref: 'all fields',
      merchant_id: 1,
      test: true,
      transaction: null,
      recurring: false,
      customer: { id: expect.any(Number) },
    })
  })

  test('has its own token, also if the same card is stored twice', async () => {
    expect((await stored()).token).not.toBe((await stored()).token)
  })

  test('shows its customer if extend names it', async () => {
    const { body } = await shop.post<StoredCard>('/v1/stored_cards?extend=customer', {
      ...STORABLE,
      customer_ref: 'extended',
    })
    expect(body.customer).toMatchObject({ id: expect.any(Number), ref: 'extended' })
  })

  for (const extended of ['stored_card', 'stored_card,customer'])
    test(`shows its latest transaction, as an id or with extend=${extended}`, async () => {
      const { id, token } = await stored()
      const pay = payment({ card_number: token, card_type: 'STORED_CARD' })
      const { body } = await shop.post<Transaction>(`/v1/transactions?extend=${extended}`, pay)
      const card = body.stored_card as StoredCard
      expect(JSON.parse(card.transaction ?? '')).toMatchObject({ id: body.id, stored_card: { id } })
      expect(card.transaction).toBe((await read(id)).transaction)
    })

  test('shows the transaction in a subscription too', async () => {
    const terms = {
      name: 'Monthly',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
    }
    const { id: plan_id } = (await shop.post('/v1/plans', terms)).body
    const paid = (await shop.post<Transaction>('/v1/transactions', payment({ plan_id }))).body
    const path = `/v1/subscriptions/${paid.subscription?.id}?extend=stored_card`
    const { stored_card } = (await shop.get<{ stored_card: StoredCard }>(path)).body
    expect(stored_card).toEqual(await read(stored_card.id))
    expect(JSON.parse(stored_card.transaction ?? '')).toMatchObject({ id: paid.id })
  })
})

describe('storing a card reads', () => {
  for (const [card_number, card_type] of [
    ['4111 1111 1111 1111', 'VISA'],
    ['5555555555554444', 'MASTERCARD'],
  ])
    test(`the number ${card_number}, which decides the type`, async () =>
      expect((await stored({ card_number })).card_type).toBe(card_type))

  for (const card_type of ['VISA', 'visa electron', 'MASTERCARD'])
    test(`card_type=${card_type}, but decides the type by the number`, async () =>
      expect(await stored({ card_type })).toMatchObject({ card_type: 'VISA' }))

  for (const name of ['test', 'recurring'] as const)
    test(`${name}, which is false by default`, async () => {
      expect((await stored({ [name]: true }))[name]).toBe(true)
      const live = { ...LIVE, test: undefined }
      expect((await stored({ ...live, [name]: undefined }))[name]).toBe(false)
    })

  test('every parameter also if it is encrypted', async () => {
    const fields = { ...STORABLE, customer_ref: 'encrypted' }
    const hidden = Object.entries(fields).map(([name, value]) => [name, encrypt(String(value))])
    const sent = { ...Object.fromEntries(hidden), encrypted: Object.keys(fields).join() }
    expect(await stored(sent)).toMatchObject({
      card_holder: 'Anna Andersson',
      card_number: '411111******1111',
      currency: 'SEK',
      test: true,
      ref: 'encrypted',
    })
  })
})

describe('the customer of a card', () => {
  test('is the customer with customer_ref, who is created if new', async () => {
    const { customer, ref } = await stored({ customer_ref: 'c1' })
    expect((await shop.get(`/v1/customers/${customer?.id}`)).body).toMatchObject({ ref: 'c1' })
    expect(await stored({ customer_ref: 'c1' })).toMatchObject({ customer, ref })
  })

  test('is the customer with customer_id, whose ref the card gets', async () => {
    const { id } = await newCustomer('c2')
    expect(await stored({ customer_id: id })).toMatchObject({ customer: { id }, ref: 'c2' })
  })

  test('is new and has no ref if no customer is named', async () => {
    const { customer, ref } = await stored()
    expect(ref).toBeNull()
    expect((await shop.get(`/v1/customers/${customer?.id}`)).body).toMatchObject({ ref: null })
  })

  for (const over of [{}, { customer_ref: 'c3' }])
    test(`must exist if customer_id names it, otherwise error 142 (other fields: ${JSON.stringify(over)})`, async () => {
      const before = await count()
      const { status, body } = await store({ customer_id: 999_999, ...over })
      expect({ status, code: body.code, stored: await count() }).toEqual({
        status: 404,
        code: 142,
        stored: before,
      })
    })

  test('lists only its own cards', async () => {
    const [mine, newer] = [
      await stored({ customer_ref: 'c4' }),
      await stored({ customer_ref: 'c4' }),
    ]
    await stored({ customer_ref: 'c5' })
    const list = (fields: Fields) =>
      shop.get<StoredCard[]>(`/v1/customers/${mine.customer?.id}/stored_cards`, fields)
    expect((await list({})).body).toEqual([newer, mine])
    expect((await list({ limit: 1, offset: 1 })).headers.get('content-range')).toBe('items 2-2/2')
    await shop.send('DELETE', `/v1/stored_cards/${newer.id}`)
    expect((await list({ 'filter[status]': 'active' })).body).toEqual([mine])
  })
})

describe('storing a card is rejected', () => {
  for (const [over, code] of [
    [{ card_number: undefined }, 118],
    [{ card_number: '4111111111111112' }, 119],
    [{ card_number: LIVE.card_number }, 119],
    [{ test: false }, 119],
    [{ test: undefined }, 119],
    [{ card_type: undefined }, 120],
    [{ card_type: '' }, 120],
    [{ card_type: 'gold' }, 121],
    [{ card_type: ' ' }, 121],
    [{ card_type: 'STORED_CARD' }, 121],
    [{ card_holder: undefined }, 122],
    [{ card_holder: '4111 1111 1111 1111' }, 123],
    [{ card_cvv: undefined }, 124],
    [{ card_cvv: '12' }, 125],
    [{ card_cvv: '202' }, 125],
    [{ card_expiry: undefined }, 126],
    [{ card_expiry: '1330' }, 127],
    [{ card_cvv: '201' }, 129],
    [{ card_cvv: '203' }, 130],
    [{ card_expiry: '0226' }, 130],
    [{ currency: 'EURO' }, 115],
    [{ currency: undefined }, 116],
    [{ currency: 'xaf' }, 117],
    [{ customer_ref: 'x'.repeat(256) }, 165],
    [{ recurring: 'perhaps' }, 253],
  ] as const)
    test(`with error ${code} for ${JSON.stringify(over).slice(0, 60)}, and no data is stored`, async () => {
      const before = await count()
      const { status, body, headers } = await store(over)
      expect({ status, code: body.code, stored: await count() }).toEqual({
        status: 400,
        code,
        stored: before,
      })
      expect(headers.get('mondido-explain')).toMatch(/^\S.{10,}/)
    })

  test('with error 4001 if the merchant rejects live cards', async () => {
    const strict = shop.as(STRICT)
    expect((await store(LIVE, strict)).body).toMatchObject({
      code: 4001,
      name: 'errors.stored_card.store.declined',
    })
    expect((await store({}, strict)).body).toMatchObject({ status: 'active' })
  })

  for (const card_cvv of ['201', '202', '203'])
    test(`but not for a live card with CVV ${card_cvv}, because no bank is asked`, async () =>
      expect((await store({ ...LIVE, card_cvv })).body).toMatchObject({
        status: 'active',
        test: false,
      }))
})

describe('a change of a card', () => {
  for (const [over, expected] of [
    [{ card_holder: 'Bo Berg' }, { card_holder: 'Bo Berg' }],
    [{ card_expiry: '0131' }, { expires: '2031-01-31T23:59:59Z' }],
    [{ status: 'cancelled' }, { status: 'cancelled' }],
    [{ status: 'CANCELLED' }, { status: 'cancelled' }],
    [{ recurring: true }, { recurring: true }],
    [{ token: 'mine', card_number: '5555555555554444', test: false, currency: 'eur' }, {}],
  ] as const)
    test(`a change to ${JSON.stringify(over)} changes ${Object.keys(expected)} and nothing else`, async () => {
      const card = await stored()
      expect((await change(card.id, over)).body).toEqual({ ...card, ...expected })
      expect(await read(card.id)).toEqual({ ...card, ...expected })
    })

  test('reactivates a cancelled card', async () => {
    const { id } = await stored()
    await change(id, { status: 'cancelled' })
    expect((await change(id, { status: 'active' })).body.status).toBe('active')
  })

  test('without recurring keeps its value, and recurring=false turns it off', async () => {
    const { id } = await stored({ recurring: true })
    expect((await change(id, { card_holder: 'Bo Berg' })).body.recurring).toBe(true)
    expect((await change(id, { recurring: false })).body.recurring).toBe(false)
  })

  test('assigns the card to a customer by id or ref, and copies the ref', async () => {
    const { id } = await stored()
    const anna = await newCustomer('anna')
    const given = { customer: { id: anna.id }, ref: 'anna' }
    expect((await change(id, { customer_id: anna.id })).body).toMatchObject(given)
    expect((await change(id, { customer_ref: 'new here' })).body).toMatchObject({ ref: 'new here' })
    expect((await change(id, { customer_ref: 'anna' })).body).toMatchObject(given)
  })

  for (const [over, code] of [
    [{ status: 'deleted' }, 148],
    [{ card_holder: '4111 1111 1111 1111' }, 123],
    [{ card_expiry: '1330' }, 127],
    [{ card_expiry: '0226' }, 130],
    [{ customer_id: 999_999 }, 142],
    [{ customer_id: 999_999, customer_ref: 'anna' }, 142],
    [{ customer_ref: 'x'.repeat(256) }, 165],
    [{ recurring: 'perhaps' }, 253],
  ] as const)
    test(`a change to ${JSON.stringify(over).slice(0, 60)} is rejected with error ${code}, and changes nothing`, async () => {
      const card = await stored()
      const { body } = await change(card.id, { status: 'cancelled', ...over })
      expect(body.code).toBe(code)
      expect(await read(card.id)).toEqual(card)
    })

  test('affects payments: the bank sees the new expiry', async () => {
    const { id, token } = await stored()
    await change(id, { card_expiry: '0531', card_holder: 'Bo Berg' })
    const { body } = await shop.post(
      '/v1/transactions',
      payment({ card_number: token, card_type: 'STORED_CARD' }),
    )
    expect(body).toMatchObject({ status: 'approved', card_expiry: '0531', card_holder: 'Bo Berg' })
  })
})

describe('a card that does not exist', () => {
  for (const method of ['GET', 'PUT', 'DELETE'])
    for (const id of ['999999', 'gold', '0'])
      test(`gets error 137 for ${method} ${id}`, async () => {
        const { status, body } = await shop.send(method, `/v1/stored_cards/${id}`)
        expect({ status, code: body.code }).toEqual({ status: 404, code: 137 })
      })

  test('a card of another merchant is treated like a card that does not exist, except that deleting it gets error 138', async () => {
    const { id } = await stored()
    const send = async (method: string) =>
      (await shop.as(STRICT).send(method, `/v1/stored_cards/${id}?card_holder=Mine`)).body.code
    expect([await send('GET'), await send('PUT'), await send('DELETE')]).toEqual([137, 137, 138])
    expect(await read(id)).toMatchObject({ status: 'active', card_holder: 'Anna Andersson' })
  })
})

test('a cancelled card stays cancelled if it is deleted again, and a filter by status finds it', async () => {
  const { id } = await stored()
  for (const _ of [1, 2])
    expect((await shop.send('DELETE', `/v1/stored_cards/${id}`)).body).toMatchObject({
      id,
      status: 'cancelled',
    })
  const list = await shop.get<StoredCard[]>('/v1/stored_cards', {
    'filter[status]': 'cancelled',
    'filter[id]': id,
  })
  expect(list.body.map((card) => card.id)).toEqual([id])
})
