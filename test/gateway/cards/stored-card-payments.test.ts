import { describe, expect, test } from 'vitest'
import type { StoredCard } from '../../../mock-gateway/contract/wire.ts'
import {
  CARD,
  type Fields,
  MERCHANT,
  payment,
  prepared,
  type TestMerchant,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'

const OTHER = { id: 2, password: 'password 2', secret: 'secret 2' }
const ASKING: TestMerchant = {
  id: 3,
  password: 'asks a lot',
  secret: 's3',
  settings: { stored_card_cvv: true },
}

const shop = await sharedGateway({ merchants: [MERCHANT, OTHER, ASKING] })

/** Pays and stores the card. */
async function store(over: Fields = {}): Promise<StoredCard> {
  const { body } = await shop.post(
    '/v1/transactions?extend=stored_card',
    payment({ store_card: true, ...over }),
  )
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

const URLS = { success_url: 'https://shop.example/thanks', error_url: 'https://shop.example/sorry' }

const newPlan = async (): Promise<number> =>
  (
    await shop.post('/v1/plans', {
      name: 'A',
      interval: 1,
      interval_unit: 'months',
      prices: '{"sek":"10.00"}',
    })
  ).body.id

/** Counts the stored cards of the merchant. */
const cards = async () =>
  (await shop.get('/v1/stored_cards', { limit: 1 })).headers.get('content-range')?.split('/')[1]

describe('store_card', () => {
  test('returns the id of the stored card and of a customer', async () => {
    const { body } = await shop.post('/v1/transactions', payment({ store_card: true }))
    expect(body.stored_card).toEqual({ id: expect.any(Number) })
    expect(body.customer).toEqual({ id: expect.any(Number) })
  })

  test('an answer with extend=stored_card shows the card with its token', async () => {
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

  test('stores nothing when the payment is declined', async () => {
    const fields = payment({ store_card: true, card_cvv: '201' })
    await shop.post('/v1/transactions', fields)
    const list = await shop.get<{ stored_card: unknown }[]>('/v1/transactions', {
      'filter[payment_ref]': fields.payment_ref,
    })
    expect(list.body.map(({ stored_card }) => stored_card)).toEqual([null])
  })

  describe('that metadata lets fail in test mode', () => {
    const FAILING = ['errors.stored_card.store.declined', '4001', 4001]
    const failing = (fail_as_code: string | number, over: Fields = {}) =>
      payment({ 'metadata[service_instructions][fail_as_code]': fail_as_code, ...over })

    for (const code of FAILING)
      test(`a store_card failure with fail_as_code ${JSON.stringify(code)} still lets the payment succeed, and the log reports it`, async () => {
        const before = await cards()
        const { status, body } = await shop.post(
          '/v1/transactions',
          failing(code, { store_card: true }),
        )
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { status: 'approved', stored_card: null },
        })
        expect(body.log_events.map(({ data }) => data)).toContainEqual(
          expect.objectContaining({
            event: 'not_stored',
            error: 'errors.stored_card.store.declined',
          }),
        )
        expect(await cards()).toBe(before)
        expect((await shop.get(`/v1/transactions/${body.id}`)).body).toEqual(body)
      })

    test('starts no subscription', async () => {
      const { body } = await shop.post(
        '/v1/transactions',
        failing(4001, { plan_id: await newPlan() }),
      )
      expect(body).toMatchObject({ status: 'approved', stored_card: null, subscription: null })
    })

    test('starts no subscription when a prepared transaction is paid', async () => {
      const order = failing(4001, { store_card: true, process: false, ...URLS })
      const { id } = (await shop.post('/v1/transactions', order)).body
      const { body } = await shop.put(`/v1/transactions/${id}`, CARD)
      expect(body).toMatchObject({ status: 'approved', stored_card: null })
    })

    test('does not replace a decline of the bank', async () => {
      const declined = failing(4001, { store_card: true, card_cvv: '201' })
      expect((await shop.post('/v1/transactions', declined)).body.code).toBe(129)
    })

    test('creates no customer', async () => {
      const customers = async () =>
        (await shop.get('/v1/customers', { limit: 1 })).headers.get('content-range')
      const before = await customers()
      expect(
        (await shop.post('/v1/transactions', failing(4001, { store_card: true }))).body.customer,
      ).toBeNull()
      expect(await customers()).toBe(before)
    })

    test('fails a payment with a token, because its card is stored already', async () => {
      const { token } = await store()
      const over = { store_card: true, 'metadata[service_instructions][fail_as_code]': 4001 }
      expect((await payWith(token, over)).body.code).toBe(4001)
    })

    test('fails the payment if store_card is not sent', async () => {
      expect((await shop.post('/v1/transactions', failing(4001))).body.code).toBe(4001)
    })

    test('has no effect with test=false', async () => {
      const live = { store_card: true, test: false, card_number: '4539148803436467' }
      expect(
        (await shop.post('/v1/transactions', failing(4001, live))).body.stored_card,
      ).not.toBeNull()
    })
  })

  test('a payment without store_card stores nothing', async () => {
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

  test('can be reserved and captured', async () => {
    const { body } = await payWith((await store()).token, { authorize: true })
    expect(body.status).toBe('authorized')
    expect(
      (await shop.put(`/v1/transactions/${body.id}/capture`, { amount: '10.00' })).body.status,
    ).toBe('approved')
  })

  test('needs no CVV: a card stored with any CVV pays', async () => {
    expect((await payWith((await store({ card_cvv: '999' })).token)).body.status).toBe('approved')
  })

  test.each([
    ['201', { status: 400, name: 'errors.payment.declined' }],
    ['20', { status: 400, name: 'errors.card_cvv.invalid' }],
    ['200', { status: 200, name: undefined }],
    [undefined, { status: 200, name: undefined }],
  ])(
    'the CVV %s of a payment with a token is checked if the merchant requires it, and only then',
    async (card_cvv, judged) => {
      const sent = {
        card_type: 'STORED_CARD',
        card_holder: undefined,
        card_expiry: undefined,
        card_cvv,
      }
      for (const [client, expected] of [
        [shop.as(ASKING), judged],
        [shop, { status: 200, name: undefined }],
      ] as const) {
        const stored = await client.post<{ stored_card: StoredCard }>(
          '/v1/transactions?extend=stored_card',
          payment({ store_card: true }),
        )
        const { token } = stored.body.stored_card
        const { status, body } = await client.post(
          '/v1/transactions',
          payment({ ...sent, card_number: token }),
        )
        expect({ status, name: body.name }).toEqual(expected)
      }
    },
  )

  test('never shows the token in payment_request', async () => {
    const { token } = await store()
    expect(JSON.stringify((await payWith(token)).body)).not.toContain(token)
  })

  for (const [what, token, code] of [
    ['is unknown: 137', '0123456789abcdef0123456789abcdef', 137],
    ['is not a token: 4002', '4111111111111111', 4002],
    ['is in upper case: 4002', '0123456789ABCDEF0123456789ABCDEF', 4002],
    ['is missing: 118', '', 118],
  ] as const)
    test(`with a token that ${what}`, async () =>
      expect((await payWith(token)).body.code).toBe(code))

  test('a token of a cancelled card is rejected with error 150', async () => {
    const { id, token } = await store()
    await shop.send('DELETE', `/v1/stored_cards/${id}`)
    expect((await payWith(token)).body.code).toBe(150)
  })

  test('a token of another merchant is answered like an unknown token', async () => {
    const other = shop.as(OTHER)
    const theirs = (
      await other.post('/v1/transactions?extend=stored_card', payment({ store_card: true }))
    ).body.stored_card
    const { status, body } = await payWith((theirs as StoredCard).token)
    const unknown = await payWith('0123456789abcdef0123456789abcdef')
    expect({ status, body }).toEqual({ status: unknown.status, body: unknown.body })
  })

  test('that was stored with test=true cannot pay a live transaction: error 168', async () => {
    expect((await payWith((await store()).token, { test: false })).body.code).toBe(168)
  })

  test('that was stored with test=false cannot pay a test transaction: error 167', async () => {
    const live = await store({ test: false, card_number: '4539148803436467' })
    expect((await payWith(live.token)).body.code).toBe(167)
    expect((await payWith(live.token, { test: false })).body.status).toBe('approved')
  })
})

describe('a token of a card that is for recurring payments', () => {
  const recurring = async (): Promise<StoredCard> => {
    const { id } = await store()
    return (await shop.put<StoredCard>(`/v1/stored_cards/${id}`, { recurring: true })).body
  }

  test('pays nothing except plans: error 1680, and no data is stored', async () => {
    const { token } = await recurring()
    const { body, headers } = await payWith(token, { payment_ref: 'not-recurring' })
    expect(body.code).toBe(1680)
    expect(headers.get('mondido-explain')).toContain('plan_id')
    expect(
      (await shop.get('/v1/transactions', { 'filter[payment_ref]': 'not-recurring' })).body,
    ).toEqual([])
  })

  test('pays for a plan', async () => {
    const { id, token } = await recurring()
    const { body } = await payWith(token, { plan_id: await newPlan() })
    expect(body).toMatchObject({
      status: 'approved',
      stored_card: { id },
      subscription: { id: expect.any(Number) },
    })
  })

  test('pays a prepared transaction with a plan, but no other prepared transaction', async () => {
    const { token } = await recurring()
    const pay = async (order: Fields) => {
      const { id } = (
        await shop.post('/v1/transactions', payment({ process: false, ...URLS, ...order }))
      ).body
      return (
        await shop.put(`/v1/transactions/${id}`, { card_number: token, card_type: 'STORED_CARD' })
      ).body
    }
    expect(await pay({ plan_id: await newPlan() })).toMatchObject({ status: 'approved' })
    expect(await pay({})).toMatchObject({ code: 1680 })
  })

  test('is charged by a subscription', async () => {
    const { id } = await recurring()
    const subscription = { plan_id: await newPlan(), stored_card_id: id }
    expect((await shop.post('/v1/subscriptions', subscription)).body).toMatchObject({
      status: 'active',
    })
  })
})

describe('a token of a customer', () => {
  test('is rejected with error 137 for another customer, like an unknown token', async () => {
    const { token } = await store({ customer_ref: 'anna' })
    expect((await payWith(token, { customer_ref: 'bo' })).body.code).toBe(137)
    const { id } = (await shop.post('/v1/transactions', prepared({ customer_ref: 'bo' }))).body
    const { body } = await shop.put(`/v1/transactions/${id}`, {
      card_number: token,
      card_type: 'STORED_CARD',
    })
    expect(body.code).toBe(137)
  })

  test('pays for this customer, also if the request names no customer', async () => {
    const { token } = await store({ customer_ref: 'anna' })
    for (const customer_ref of ['anna', undefined])
      expect((await payWith(token, { customer_ref })).body.status).toBe('approved')
  })

  test('pays for the customer in the transaction if its own customer has no ref', async () => {
    expect((await payWith((await store()).token, { customer_ref: 'bo' })).body.status).toBe(
      'approved',
    )
  })
})

describe('a card whose customer was deleted', () => {
  test('pays for no particular customer', async () => {
    const { token, customer } = await store({ customer_ref: 'deleted' })
    await shop.send('DELETE', `/v1/customers/${customer?.id}`)
    const { body } = await payWith(token)
    expect(body).toMatchObject({ status: 'approved', customer: null })
  })

  test('pays for the customer in the transaction', async () => {
    const { token, customer } = await store({ customer_ref: 'deleted' })
    await shop.send('DELETE', `/v1/customers/${customer?.id}`)
    const { body } = await payWith(token, { customer_ref: 'somebody' })
    expect((await shop.get(`/v1/customers/${body.customer?.id}`)).body).toMatchObject({
      ref: 'somebody',
    })
  })
})

test('a stored card that has expired is declined with error 130', async () => {
  const { token } = await store({ card_expiry: '0326' })
  shop.clock.advance(18 * 24 * 3_600_000)
  expect((await payWith(token)).body.code).toBe(130)
})
