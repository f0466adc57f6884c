import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/stored-card.ts'
import { type Fields, MERCHANT, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }

let shop: TestGateway
beforeAll(async () => {
  shop = await startGateway({ merchants: [MERCHANT, OTHER] })
})
afterAll(() => shop.close())

/** Pays and stores the card. */
async function store(over: Fields = {}): Promise<StoredCard> {
  const { body } = await shop.post('/v1/transactions?extend=stored_card', payment({ store_card: true, ...over }))
  return body.stored_card as StoredCard
}

/** Pays with a token, as merchants' servers do: no holder, CVV or expiry. */
const payWith = (token: string, over: Fields = {}) =>
  shop.post('/v1/transactions', {
    ...payment(over),
    card_number: token,
    card_type: 'STORED_CARD',
    card_holder: undefined,
    card_cvv: undefined,
    card_expiry: undefined,
  })

describe('store_card', () => {
  test('answers the id of the stored card and of a customer', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ store_card: true }))
    expect(body.stored_card).toEqual({ id: expect.any(Number) })
    expect(body.customer).toEqual({ id: expect.any(Number) })
  })

  test('with extend=stored_card shows the card with its token', async () => {
    expect(await store({ customer_ref: 'c7', currency: 'eur' })).toMatchObject({
      token: expect.stringMatching(/^[0-9a-f]{32}$/),
      card_holder: 'Anna Andersson',
      card_number: '411111******1111',
      card_type: 'VISA',
      status: 'active',
      currency: 'EUR',
      expires: '2030-12-31T23:59:59Z',
      ref: 'c7',
      merchant_id: 1,
      test: true,
      recurring: false,
    })
  })

  test('leaves nothing stored when the payment is declined', async () => {
    const fields = payment({ store_card: true, card_cvv: '201' })
    await shop.post('/v1/transactions', fields)
    const list = await shop.get<{ stored_card: unknown }[]>('/v1/transactions', {
      'filter[payment_ref]': fields.payment_ref,
    })
    expect(list.body.map(({ stored_card }) => stored_card)).toEqual([null])
  })

  test('that is not asked for stores nothing', async () => {
    expect((await shop.post('/v1/transactions', payment())).body.stored_card).toBeNull()
  })
})

describe('a payment with a token', () => {
  test('is a stored_card payment that shows the card underneath', async () => {
    const card = await store({ customer_ref: 'c8' })
    const { status, body } = await payWith(card.token)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'approved',
      card_type: 'STORED_CARD',
      transaction_type: 'stored_card',
      card_number: '411111******1111',
      card_holder: 'Anna Andersson',
      stored_card: { id: card.id },
      customer: card.customer,
    })
  })

  test('may be reserved and captured', async () => {
    const { body } = await payWith((await store()).token, { authorize: true })
    expect(body.status).toBe('authorized')
    expect((await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '10.00' })).body.status).toBe('approved')
  })

  test('needs no CVV: a card stored with any CVV pays', async () => {
    expect((await payWith((await store({ card_cvv: '999' })).token)).body.status).toBe('approved')
  })

  test('never shows the token in payment_request', async () => {
    const { token } = await store()
    expect(JSON.stringify((await payWith(token)).body)).not.toContain(token)
  })

  for (const [what, token, code] of [
    ['nobody has: 137', '0123456789abcdef0123456789abcdef', 137],
    ['is no token: 4002', '4111111111111111', 4002],
    ['is in upper case: 4002', '0123456789ABCDEF0123456789ABCDEF', 4002],
    ['is missing: 118', '', 118],
  ] as const)
    test(`that ${what}`, async () => expect((await payWith(token)).body.code).toBe(code))

  test('of a cancelled card: 150', async () => {
    const { id, token } = await store()
    await shop.send('DELETE', `/v1/stored_cards/${id}`)
    expect((await payWith(token)).body.code).toBe(150)
  })

  test('of another merchant is answered like one that nobody has', async () => {
    const other = shop.as(OTHER)
    const theirs = (await other.post('/v1/transactions?extend=stored_card', payment({ store_card: true }))).body
      .stored_card
    const { status, body } = await payWith((theirs as StoredCard).token)
    const unknown = await payWith('0123456789abcdef0123456789abcdef')
    expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body })
  })

  test('stored with test=true pays no live transaction: 168', async () => {
    expect((await payWith((await store()).token, { test: false })).body.code).toBe(168)
  })

  test('stored live pays no test transaction: 167', async () => {
    const live = await store({ test: false, card_number: '4539148803436467' })
    expect((await payWith(live.token)).body.code).toBe(167)
    expect((await payWith(live.token, { test: false })).body.status).toBe('approved')
  })
})

test('a stored card that expired since is refused with 130', async () => {
  const { token } = await store({ card_expiry: '0326' })
  shop.clock.advance(18 * 24 * 3_600_000)
  expect((await payWith(token)).body.code).toBe(130)
})
