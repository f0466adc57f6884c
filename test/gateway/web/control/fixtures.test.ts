import { describe, expect, test } from 'vitest'
import type { Plan, StoredCard } from '../../../../mock-gateway/contract/wire.ts'
import { MERCHANT, payment, prepared, startGateway } from '../../../helpers/gateway.ts'
import { openGateway, sharedGateway } from '../../../helpers/shared-gateway.ts'
import { openTestPlace } from '../../storage/databases.ts'
import { controlOf } from './client.ts'

const OTHER = {
  ...MERCHANT,
  id: 2,
  settings: {
    webhooks: [
      { name: 'paid', trigger: 'payment_success', url: 'https://shop.example/paid' },
      { name: 'receipt', trigger: 'refund', type: 'receipt', template_id: 7 },
    ],
    administrators: [{ email: 'kim@shop.example' }],
  },
}
const CARD = {
  id: 70,
  card_holder: 'Kim Berg',
  card_number: '411111******1111',
  card_expiry: '1230',
  card_type: 'visa',
  currency: 'sek',
  token: 'ab'.repeat(16),
}

interface File {
  readonly [table: string]: readonly Readonly<Record<string, unknown>>[]
}

test('data that are exported, deleted and loaded are exported again unchanged, and ids continue', async () => {
  const shop = await openGateway({ merchants: [MERCHANT, OTHER] })
  const control = controlOf(shop.gateway)
  const terms = { name: 'Monthly', interval: 1, interval_unit: 'months', prices: '{"sek":"10.00"}' }
  await shop.post<Plan>('/v1/plans', terms)
  const currency_converter = '{"currency":"eur","rate":"0.1"}'
  const next = { outcome: 'approved', wallet_type: 'apple_pay', currency_converter }
  await control.post('/payments/next?merchant_id=1', next)
  const { id } = (
    await shop.post('/v1/transactions', payment({ store_card: true, customer_ref: 'c42' }))
  ).body
  await shop.post('/v1/refunds', { transaction_id: id, amount: '1.00', reason: 'Broken' })
  const authorized = (await shop.post('/v1/transactions', payment({ authorize: true }))).body
  await shop.put(`/v1/transactions/${authorized.id}/capture`, { amount: '4.00' })
  await shop.post('/v1/transactions', prepared({ metadata: '{"a":[1,{"b":null}]}' }))
  await shop.as(OTHER).post('/v1/transactions', payment({ card_cvv: '201' }))
  const link = await control.post<{ url: string }>('/payment-links', {
    amount: '10.00',
    currency: 'sek',
  })
  await shop.browser.send('POST', new URL(link.body.url).pathname, '')
  await control.post('/templates', { name: 'summer', source: '<form method="post"></form>' })
  const before = (await control.get<File>('/fixtures')).body
  const shown = (await shop.get(`/v1/transactions/${id}`)).body
  await control.post('/reset')
  expect((await control.get<File>('/fixtures')).body.transactions).toEqual([])
  expect((await control.post('/fixtures', before)).body).toEqual({
    loaded: {
      merchants: 2,
      plans: 1,
      payment_links: 1,
      customers: 1,
      stored_cards: 1,
      transactions: 5,
      templates: 1,
    },
    problems: [],
  })
  expect((await control.get('/fixtures')).body).toEqual(before)
  const again = (await shop.get(`/v1/transactions/${id}`)).body
  expect(again).toMatchObject({ wallet_type: 'apple_pay', currency_converter: { amount: '1.00' } })
  expect({ ...again, log_events: [], refunds: [] }).toEqual({
    ...shown,
    log_events: [],
    refunds: [],
  })
  expect((await shop.get('/v1/transactions/5')).body.link_payment).toBe(true)
  expect((await shop.post('/v1/transactions', payment())).body.id).toBe(6)
  const mine = (await control.get<File>('/fixtures?merchant_id=2')).body
  expect(mine.transactions).toHaveLength(1)
})

test('a stored card without a number pays by its token, and references follow if its id is taken and replaced', async () => {
  const shop = await openGateway({ merchants: [MERCHANT, OTHER] })
  const control = controlOf(shop.gateway)
  const file = {
    customers: [{ id: 9, ref: 'c9' }],
    stored_cards: [{ ...CARD, customer_id: 9, transaction_id: 30 }],
    transactions: [
      { id: 30, amount: '10.00', currency: 'sek', payment_ref: 'A30', status: 'approved' },
    ],
  }
  expect((await control.post('/fixtures', file)).status).toBe(200)
  const paid = await shop.post(
    '/v1/transactions',
    payment({ card_number: CARD.token, card_type: 'STORED_CARD' }),
  )
  expect(paid.body).toMatchObject({ status: 'approved', stored_card: { id: 70 } })
  const more = {
    customers: [{ id: 9, ref: 'c10' }],
    stored_cards: [{ ...CARD, token: 'cd'.repeat(16), customer_id: 9 }],
  }
  expect((await control.post('/fixtures', more)).status).toBe(200)
  const { body } = await shop.get<StoredCard[]>('/v1/stored_cards', { 'filter[id]': 71 })
  expect(body[0]).toMatchObject({ id: 71, customer: { id: 10 } })
})

test('an existing merchant keeps its password, and a new one gets its own', async () => {
  const shop = await openGateway({ merchants: [MERCHANT, OTHER] })
  const changed = {
    ...MERCHANT,
    name: 'Cups',
    password: 'another password',
    secret: 'another secret',
  }
  const added = { id: 3, password: 'password of 3', secret: 'secret of 3' }
  expect(
    (await controlOf(shop.gateway).post('/fixtures', { merchants: [changed, added] })).status,
  ).toBe(200)
  expect((await shop.as({ ...MERCHANT, password: changed.password }).get('/v1/plans')).status).toBe(
    401,
  )
  expect((await shop.as(added).get('/v1/plans')).status).toBe(200)
  const { status, body } = await shop
    .as({ ...changed, password: MERCHANT.password })
    .post('/v1/transactions', payment())
  expect({ status, body }).toMatchObject({ status: 200, body: { status: 'approved' } })
})

describe('fixtures with mistakes add nothing, and the answer names the place and the mistake:', async () => {
  const PAYMENT = { amount: '10.00', currency: 'sek', payment_ref: 'A1' }
  const WEBHOOK = { name: 'x', trigger: 'payment', url: 'http://169.254.169.254/' }
  const PRICELESS = { name: 'A', interval: 1, interval_unit: 'days', prices: { sek: 'ten' } }
  const PAID = { status: 'approved' }
  const REFUNDED = { status: 'declined', refunds: [{ amount: '1.00', reason: 'Broken' }] }

  /** Changes of a payment that make it a mistake. */
  const PAYMENTS: readonly (readonly [what: string, over: object, explain: string])[] = [
    [
      'a script as the address of the shop',
      { success_url: 'javascript:alert(1)' },
      'http or https',
    ],
    ['an invalid time', { created_at: 'today' }, 'transactions[0].created_at'],
    ['a field that is not known', { titel: 'a' }, 'titel'],
    ['an unknown error', { error_name: 'errors.made.up' }, 'error_name'],
    ['an error by its number', { error_name: '129' }, 'error_name'],
    ['a merchant that is not there', { merchant_id: 5 }, 'no merchant 5'],
    ['a reference to nothing', { customer_id: 4 }, 'transactions[0].customer_id'],
    ['a refund of a declined payment', REFUNDED, 'a payment with status declined has no refunds'],
    ['a payment that ended, and waits', { provider_ref: 'a' }, 'provider_ref'],
    ['an amount that could not be charged', { ...PAID, amount: 'ten' }, 'transactions[0].amount'],
    ['an error of a successful payment', { ...PAID, error_name: 'errors.generic' }, 'error_name'],
    ['a reason of a successful payment', { ...PAID, status_details: 'a' }, 'details'],
    ['an id beyond 32 bits', { id: 2 ** 31 }, 'transactions[0].id'],
  ]
  const FILES: readonly (readonly [what: string, file: object, explain: string])[] = [
    ...PAYMENTS.map(
      ([what, over, explain]) =>
        [what, { transactions: [{ ...PAYMENT, ...over }] }, explain] as const,
    ),
    [
      'a script as the address of a payment link',
      { payment_links: [{ ...PAYMENT, error_url: 'javascript:alert(1)' }] },
      'payment_links[0].error_url',
    ],
    [
      'a whole card number',
      { stored_cards: [{ ...CARD, card_number: '4111111111111111' }] },
      'card_number',
    ],
    ['a price in words', { plans: [PRICELESS] }, 'prices'],
    ['a table that is not known', { orders: [] }, 'orders'],
    ['no list', { transactions: 'a' }, 'transactions: expected array, received string'],
    [
      'an invalid logo',
      { merchants: [{ id: 1, settings: { logo: 'a' } }] },
      'settings.logo: must be https',
    ],
    [
      'a webhook of the settings to an address that is never called',
      { merchants: [{ id: 1, settings: { webhooks: [WEBHOOK] } }] },
      'The gateway never calls this url of a webhook',
    ],
    ['a new merchant without secrets', { merchants: [{ id: 5 }] }, 'merchants[0]'],
    ['a merchant’s too', { merchants: [{ ...MERCHANT, id: 2 ** 53 - 1 }] }, 'merchants[0].id'],
    ['one id twice', { customers: [{ id: 1 }, { id: 1 }] }, 'the same id'],
    ['one token twice', { stored_cards: [CARD, { ...CARD, id: 71 }] }, 'stored_cards[1]'],
  ]
  const control = controlOf((await sharedGateway()).gateway)
  test.each(FILES)('%s', async (_what, file, explain) => {
    const { status, headers, body } = await control.post('/fixtures', file)
    expect({ status, code: body.code, explain: headers.get('mondido-explain') }).toEqual({
      status: 400,
      code: 253,
      explain: expect.stringContaining(explain),
    })
    expect(headers.get('mondido-explain')).not.toContain('4111111111111111')
    const { body: left } = await control.get<File>('/fixtures')
    expect([left.plans, left.customers, left.stored_cards, left.transactions]).toEqual([
      [],
      [],
      [],
      [],
    ])
  })
})

test('new data begins with the fixtures of createGateway, and old data stays as it is', async () => {
  const database = await openTestPlace()
  const fixtures = { customers: [{ id: 9, ref: 'c9' }] }
  for (const _start of [1, 2]) {
    const shop = await openGateway({ database, fixtures })
    expect((await shop.get<{ id: number }[]>('/v1/customers')).body).toMatchObject([
      { id: 9, ref: 'c9' },
    ])
  }
  await expect(startGateway({ fixtures: { customers: [{ ref: 5 }] } })).rejects.toThrow(
    'customers[0].ref',
  )
})
