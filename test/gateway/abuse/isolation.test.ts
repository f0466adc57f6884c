import { beforeAll, describe, expect, test } from 'vitest'
import {
  type Answer,
  CARD,
  type Client,
  type Fields,
  hashed,
  MERCHANT,
  payment,
  prepared,
  type TransactionOrError,
} from '../../helpers/gateway.ts'
import { OTHER_PRIVATE_KEY } from '../../helpers/keys.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { filePlace, sharedPlace } from '../storage/databases.ts'
import { newCard, newPlan, newSubscription } from '../subscriptions/new-subscription.ts'
import {
  createTestData,
  EXTEND,
  everythingOf,
  KINDS,
  type Kind,
  LISTS,
  type TestData,
} from './test-data.ts'

const RIVAL = {
  id: 2,
  password: 'other password',
  secret: 'other secret',
  private_key: OTHER_PRIVATE_KEY,
}

const target = await sharedPlace(filePlace)
const shop = await sharedGateway({ database: target, merchants: [MERCHANT, RIVAL] })
const rival = shop.as(RIVAL)
await createTestData(rival)
const theirs = await createTestData(shop)

const total = ({ headers }: Answer<unknown>) => headers.get('content-range')?.split('/')[1]

describe('a list without a filter', () => {
  for (const kind of KINDS)
    test(`a list of ${kind}s without a filter contains and counts only the merchant's own`, async () => {
      const rows = await rival.get<{ id: number }[]>(LISTS[kind], { limit: 1000 })
      const others = await shop.get<{ id: number }[]>(LISTS[kind], { limit: 1000 })
      expect(rows.body.length).toBeGreaterThan(0)
      expect(rows.headers.get('content-range')).toBe(
        `items 1-${rows.body.length}/${rows.body.length}`,
      )
      const ids = new Set(others.body.map(({ id }) => id))
      expect(rows.body.filter(({ id }) => ids.has(id))).toEqual([])
    })
})

/** Filters that match only rows of the other merchant. */
const CONDITIONS: readonly (readonly [
  Kind,
  field: string,
  value: (of: TestData) => string | number,
])[] = [
  ['transaction', 'id', ({ approved }) => approved],
  ['transaction', 'payment_ref', ({ payment_ref }) => payment_ref],
  [
    'transaction',
    'payment_ref',
    ({ payment_ref }) => `${payment_ref.slice(0, -1)}*${payment_ref.slice(-1)}`,
  ],
  ['transaction', 'href_token', ({ href_token }) => href_token],
  ['transaction', 'customer_id', ({ customer }) => customer],
  ['transaction', 'stored_card_id', ({ stored_card }) => stored_card],
  ['stored_card', 'id', ({ stored_card }) => stored_card],
  ['stored_card', 'token', ({ token }) => token],
  ['stored_card', 'token', ({ token }) => `${token.slice(0, 12)}*`],
  ['stored_card', 'customer_id', ({ customer }) => customer],
  ['customer', 'id', ({ customer }) => customer],
  ['customer', 'ref', ({ customer_ref }) => customer_ref],
  ['refund', 'id', ({ refund }) => refund],
  ['refund', 'transaction_id', ({ approved }) => approved],
  ['refund', 'reason', ({ payment_ref }) => payment_ref],
  ['plan', 'id', ({ plan }) => plan],
  ['subscription', 'id', ({ subscription }) => subscription],
  ['webhook', 'id', ({ webhook }) => webhook],
  ['webhook', 'transaction_id', ({ approved }) => approved],
  ['webhook', 'url', ({ url }) => url],
]

test.each(CONDITIONS)(
  'a list is empty if only another merchant has matching rows: %ss by %s',
  async (kind, field, value) => {
    const query = { [`filter[${field}]`]: value(theirs) }
    expect(Number(total(await shop.get(LISTS[kind], query)))).toBeGreaterThan(0)
    const answer = await rival.get(LISTS[kind], query)
    expect([answer.body, answer.headers.get('content-range')]).toEqual([[], 'items 0-0/0'])
  },
)

describe('a list that matches rows of two merchants counts only the merchant’s own:', () => {
  for (const kind of KINDS)
    test.each([
      ['an open range', { 'filter[id]': '1..' }],
      ['a first id', { start_id: 1, order_by: 'id' }],
      ['a date', { 'filter[created_at]': '20260314' }],
      ['another order', { order_by: 'created_at:desc', offset: 0 }],
    ])(`${kind}s by %s`, async (_what, query) => {
      const mine = (await everythingOf(rival))[kind]?.map(({ id }) => id) ?? []
      const answer = await rival.get<{ id: number }[]>(LISTS[kind], { ...query, limit: 1000 })
      expect(answer.body.map(({ id }) => id).sort((a, b) => a - b)).toEqual(
        mine.sort((a, b) => a - b),
      )
      expect(total(answer)).toBe(String(mine.length))
    })
})

/** Calls that succeed for the owner of the rows, with the error for another merchant. */
const CALLS: readonly (readonly [
  what: string,
  code: number,
  call: (by: Client, of: TestData) => Promise<Answer<unknown>>,
])[] = [
  ['reads a transaction', 128, (by, { approved }) => by.get(`/v1/transactions/${approved}`)],
  ['reads a stored card', 137, (by, { stored_card }) => by.get(`/v1/stored_cards/${stored_card}`)],
  [
    'reads a stored card at its other address',
    137,
    (by, { stored_card }) => by.get(`/v1/stored_card/${stored_card}`),
  ],
  ['reads a customer', 142, (by, { customer }) => by.get(`/v1/customers/${customer}`)],
  ['reads a refund', 196, (by, { refund }) => by.get(`/v1/refunds/${refund}`)],
  ['reads a plan', 135, (by, { plan }) => by.get(`/v1/plans/${plan}`)],
  [
    'reads a subscription',
    141,
    (by, { subscription }) => by.get(`/v1/subscriptions/${subscription}`),
  ],
  ['reads a webhook', 204, (by, { webhook }) => by.get(`/v1/webhooks/${webhook}`)],
  [
    'lists transactions of a customer',
    142,
    (by, { customer }) => by.get(`/v1/customers/${customer}/transactions`),
  ],
  [
    'lists stored cards of a customer',
    142,
    (by, { customer }) => by.get(`/v1/customers/${customer}/stored_cards`),
  ],
  [
    'lists subscriptions of a customer',
    142,
    (by, { customer }) => by.get(`/v1/customers/${customer}/subscriptions`),
  ],
  [
    'lists transactions of a subscription',
    141,
    (by, of) => by.get(`/v1/subscription/${of.subscription}/transactions`),
  ],
  [
    'lists them at the other address',
    141,
    (by, of) => by.get(`/v1/subscriptions/${of.subscription}/transactions`),
  ],

  ['pays a transaction', 128, (by, { pending }) => by.put(`/v1/transactions/${pending}`, CARD)],
  ['pays it at /v2', 128, (by, { pending }) => by.put(`/v2/transactions/${pending}`, CARD)],
  [
    'changes an amount',
    128,
    (by, of) => by.put(`/v1/transactions/${of.pending}`, { amount: '1.00', process: false }),
  ],
  [
    'adds metadata',
    128,
    (by, of) => by.put(`/v1/transactions/${of.approved}`, { 'metadata[a]': 1, process: false }),
  ],
  [
    'captures',
    128,
    (by, { authorized }) => by.put(`/v1/transactions/${authorized}/capture`, { amount: '1.00' }),
  ],
  [
    'refunds',
    128,
    (by, of) =>
      by.post('/v1/refunds', { transaction_id: of.approved, amount: '1.00', reason: 'x' }),
  ],
  [
    'releases',
    128,
    (by, of) =>
      by.post('/v1/refunds', { transaction_id: of.authorized, amount: '1.00', reason: 'x' }),
  ],
  [
    'changes a stored card',
    137,
    (by, of) => by.put(`/v1/stored_cards/${of.stored_card}`, { card_holder: 'Kim' }),
  ],
  [
    'cancels a stored card',
    137,
    (by, of) => by.put(`/v1/stored_cards/${of.stored_card}`, { status: 'cancelled' }),
  ],
  [
    'deletes a stored card',
    138,
    (by, { stored_card }) => by.send('DELETE', `/v1/stored_cards/${stored_card}`),
  ],
  [
    'changes a customer',
    142,
    (by, { customer }) => by.put(`/v1/customers/${customer}`, { ref: `new ref ${customer}` }),
  ],
  ['deletes a customer', 142, (by, { customer }) => by.send('DELETE', `/v1/customers/${customer}`)],
  ['changes a plan', 135, (by, { plan }) => by.put(`/v1/plans/${plan}`, { name: 'Mine' })],
  ['cancels a plan', 135, (by, { plan }) => by.send('DELETE', `/v1/plans/${plan}`)],
  [
    'changes a subscription',
    141,
    (by, of) => by.put(`/v1/subscriptions/${of.subscription}`, { quantity: 3 }),
  ],
  [
    'stops a subscription',
    141,
    (by, { subscription }) => by.send('DELETE', `/v1/subscriptions/${subscription}`),
  ],

  ['pays with a token', 137, (by, { token }) => by.post('/v1/transactions', payWith(token))],
  [
    'pays later with a token',
    137,
    async (by, { token }) => by.put(await newOrder(by), payWith(token, {})),
  ],
  [
    'subscribes to a plan',
    135,
    (by, { plan }) => by.post('/v1/transactions', payment({ plan_id: plan })),
  ],
  [
    'prepares for a plan',
    135,
    (by, { plan }) => by.post('/v1/transactions', prepared({ plan_id: plan })),
  ],
  [
    'adds a plan',
    135,
    async (by, { plan }) => by.put(await newOrder(by), { plan_id: plan, process: false }),
  ],
  ['stores a card for a customer', 142, (by, { customer }) => storeFor(by, customer)],
  [
    'gives a card to a customer',
    142,
    async (by, of) => giveTo(by, (await newCard(by)).id, of.customer),
  ],
  [
    'charges a card for a plan',
    137,
    async (by, of) => subscribe(by, { stored_card_id: of.stored_card }),
  ],
  [
    'charges a customer for a plan',
    142,
    async (by, of) => subscribe(by, { customer_id: of.customer }),
  ],
  [
    'begins a subscription to a plan',
    135,
    async (by, { plan }) => subscribe(by, { plan_id: plan }),
  ],
  [
    'moves a subscription to a plan',
    135,
    async (by, { plan }) => move(by, (await newSubscription(by)).id, plan),
  ],
]

const payWith = (token: string, order: Fields = payment()): Fields => ({
  ...order,
  ...{
    card_number: token,
    card_type: 'STORED_CARD',
    card_cvv: undefined,
    card_holder: undefined,
    card_expiry: undefined,
  },
})
const newOrder = async (by: Client) =>
  `/v1/transactions/${(await by.post('/v1/transactions', prepared())).body.id}`
const storeFor = (by: Client, customer_id: number) =>
  by.post('/v1/stored_cards', {
    ...CARD,
    card_type: 'VISA',
    currency: 'sek',
    test: true,
    customer_id,
  })
const giveTo = (by: Client, card: number, customer_id: number) =>
  by.put(`/v1/stored_cards/${card}`, { customer_id })
const move = (by: Client, id: number, plan_id: number) =>
  by.put(`/v1/subscriptions/${id}`, { plan_id })
async function subscribe(by: Client, over: Fields) {
  const plan_id = (await newPlan(by)).id
  const named = 'customer_id' in over ? {} : { stored_card_id: (await newCard(by)).id }
  return by.post('/v1/subscriptions', { plan_id, ...named, ...over })
}

describe('a merchant that uses the ids of another merchant is rejected, and nothing changes:', () => {
  let before: Awaited<ReturnType<typeof everythingOf>>
  beforeAll(async () => {
    before = await everythingOf(shop)
  })

  test.each(CALLS)('%s: error %i', async (_what, code, call) => {
    const { body } = (await call(rival, theirs)) as Answer<TransactionOrError>
    expect(body.code).toBe(code)
    expect(await everythingOf(shop)).toEqual(before)
  })
})

test.each(CALLS)('the owner of the same ids is accepted: %s', async (_what, _code, call) => {
  expect((await call(shop, await createTestData(shop))).status).toBe(200)
})

describe('a merchant', () => {
  test('a merchant that orders in the name of another merchant is rejected with error 202', async () => {
    const { body } = await rival.post('/v1/transactions', payment({ merchant_id: MERCHANT.id }))
    expect(body.code).toBe(202)
  })

  test('a merchant that signs for another merchant with its own secret is rejected with error 107', async () => {
    const order = hashed(payment({ merchant_id: MERCHANT.id }), {
      id: MERCHANT.id,
      secret: RIVAL.secret,
    })
    expect((await shop.browser.post('/v1/transactions', order)).body.code).toBe(107)
  })

  test('a merchant that uses the customer_ref of another merchant gets its own customer', async () => {
    const { body } = await rival.post(
      '/v1/transactions',
      payment({ customer_ref: theirs.customer_ref }),
    )
    expect(body.customer?.id).not.toBe(theirs.customer)
    expect(total(await shop.get(`/v1/customers/${theirs.customer}/transactions`))).toBe('1')
  })

  test('a merchant that requests the result of another merchant’s attempt gets no information', async () => {
    const state = async (merchant_id: number) =>
      (await shop.browser.get<{ state: string }>(`/v1/attempts/${theirs.attempt}`, { merchant_id }))
        .body.state
    expect([await state(MERCHANT.id), await state(RIVAL.id)]).toEqual(['done', 'unknown'])
  })
})

describe('the parameter extend', () => {
  for (const kind of KINDS)
    test(`shows nothing of another merchant in ${kind}s`, async () => {
      const { body } = await rival.get(LISTS[kind], { limit: 1000, extend: EXTEND })
      expect(merchantsIn(body)).not.toContain(MERCHANT.id)
      expect(JSON.stringify(body)).not.toContain(theirs.token)
    })
})

/** Returns every merchant_id in an answer, at any depth. */
const merchantsIn = (body: unknown) =>
  [...JSON.stringify(body).matchAll(/\\?"merchant_id\\?":(\d+)/g)].map(([, id]) => Number(id))
