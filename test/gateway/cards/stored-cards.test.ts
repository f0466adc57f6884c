import { describe, expect, test } from 'vitest'
import type {
  ApiError,
  Customer,
  StoredCard,
  Transaction,
} from '../../../mock-gateway/contract/wire.ts'
import { CARD, type Client, type Fields, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const LIVE = { card_number: '4539148803436467', test: false }
/** A complete card to store. */
const STORABLE = { ...CARD, card_type: 'VISA', currency: 'sek', test: true }

type CardOrError = StoredCard & ApiError

const shop = await sharedGateway()

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

  for (const extended of ['stored_card', 'stored_card,customer'])
    test(`shows its latest transaction, as an id or with extend=${extended}`, async () => {
      const { id, token } = await stored()
      const pay = payment({ card_number: token, card_type: 'STORED_CARD' })
      const { body } = await shop.post<Transaction>(`/v1/transactions?extend=${extended}`, pay)
      const card = body.stored_card as StoredCard
      expect(JSON.parse(card.transaction ?? '')).toMatchObject({ id: body.id, stored_card: { id } })
      expect(card.transaction).toBe((await read(id)).transaction)
    })
})

describe('the customer of a card', () => {
  test('is the customer with customer_id, whose ref the card gets', async () => {
    const { id } = await newCustomer('c2')
    expect(await stored({ customer_id: id })).toMatchObject({ customer: { id }, ref: 'c2' })
  })

  test('is new and has no ref if no customer is named', async () => {
    const { customer, ref } = await stored()
    expect(ref).toBeNull()
    expect((await shop.get(`/v1/customers/${customer?.id}`)).body).toMatchObject({ ref: null })
  })

  for (const over of [{}, { customer_ref: 'c2' }, { customer_ref: 'nobody yet' }])
    test(`must exist if customer_id names it, otherwise error 142 (other fields: ${JSON.stringify(over)})`, async () => {
      const before = await count()
      const { status, body } = await store({ customer_id: 999_999, ...over })
      expect({ status, code: body.code, stored: await count() }).toEqual({
        status: 404,
        code: 142,
        stored: before,
      })
      const named = await shop.get('/v1/customers', { 'filter[ref]': 'nobody yet' })
      expect(named.body).toEqual([])
    })
})

describe('storing a card is rejected', () => {
  for (const [over, code] of [
    [{ card_number: LIVE.card_number }, 119],
    [{ test: false }, 119],
    [{ card_type: ' ' }, 121],
    [{ card_type: 'STORED_CARD' }, 121],
    [{ card_cvv: '201' }, 129],
    [{ card_cvv: '203' }, 130],
    [{ card_expiry: '0226' }, 130],
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
})

describe('a change of a card', () => {
  for (const [over, expected] of [
    [{ card_holder: 'Bo Berg' }, { card_holder: 'Bo Berg' }],
    [{ card_expiry: '0131' }, { expires: '2031-01-31T23:59:59Z' }],
    [{ status: 'CANCELLED' }, { status: 'cancelled' }],
    [{ recurring: true }, { recurring: true }],
    [{ token: 'mine', card_number: '5555555555554444', test: false, currency: 'eur' }, {}],
  ] as const)
    test(`a change to ${JSON.stringify(over)} changes ${Object.keys(expected)} and nothing else`, async () => {
      const card = await stored()
      expect((await change(card.id, over)).body).toEqual({ ...card, ...expected })
      expect(await read(card.id)).toEqual({ ...card, ...expected })
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
    [{ card_expiry: '1330' }, 127],
    [{ card_expiry: '0226' }, 130],
    [{ customer_id: 999_999, customer_ref: 'anna' }, 142],
    [{ recurring: 'perhaps' }, 253],
  ] as const)
    test(`a change to ${JSON.stringify(over).slice(0, 60)} is rejected with error ${code}, and changes nothing`, async () => {
      const card = await stored()
      const { body } = await change(card.id, { status: 'cancelled', ...over })
      expect(body.code).toBe(code)
      expect(await read(card.id)).toEqual(card)
    })
})

describe('a card that does not exist', () => {
  for (const method of ['GET', 'PUT', 'DELETE'])
    for (const id of ['999999', 'gold', '0'])
      test(`gets error 137 for ${method} ${id}`, async () => {
        const { status, body } = await shop.send(method, `/v1/stored_cards/${id}`)
        expect({ status, code: body.code }).toEqual({ status: 404, code: 137 })
      })
})
