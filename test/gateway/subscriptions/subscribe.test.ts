import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import {
  CARD,
  type Fields,
  hashed,
  payment,
  prepared,
  startGateway,
} from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { invoice, preparedInvoice } from '../payment-methods/fields.ts'
import { type Extended, newCard, newPlan, refusalOf } from './new-subscription.ts'

const ITEM = { artno: 'A1', description: 'Delivery', amount: '5.00', qty: '1', vat: '25' }
const EXTEND = '?extend=subscription'

const shop = await sharedGateway()

/** Pays by card for a plan. */
const subscribe = async (over: Fields) =>
  (await shop.post<Extended>(`/v1/transactions${EXTEND}`, payment(over))).body

const prepare = async (over: Fields) =>
  (await shop.post<Extended>('/v1/transactions', prepared(over))).body
const pay = (id: number, over: Fields = {}) =>
  shop.put<Extended>(`/v1/transactions/${id}${EXTEND}`, { ...CARD, ...over })

const subscriptions = async () =>
  (await shop.get('/v1/subscriptions', { limit: 1 })).headers.get('content-range')?.split('/')[1]

describe('a payment for a plan', () => {
  test('stores the card, starts the subscription and pays its first period', async () => {
    const { id: plan_id } = await newPlan(shop, { periods: 12 })
    const paid = await subscribe({ plan_id, metadata: '{"customer":{"city":"Lund"}}' })
    expect(paid).toMatchObject({ status: 'approved', stored_card: { id: expect.any(Number) } })
    expect(paid.subscription).toMatchObject({
      status: 'active',
      plan: { id: plan_id },
      price: '99.00',
      currency: 'sek',
      total_periods: 12,
      period_count: 1,
      periods_left: 11,
      start_date: '2026-03-14',
      next_at: '2026-04-14T12:00:00Z',
      subscription_quantity: 1,
      test: true,
      metadata: { customer: { city: 'Lund' } },
      customer: { id: paid.customer.id },
      stored_card: { id: paid.stored_card.id },
    })
    expect((await shop.get(`/v1/subscriptions/${paid.subscription.id}`)).body).toEqual(
      paid.subscription,
    )
  })

  for (const [what, plan, order, expected] of [
    [
      'a trial',
      { trial_length: 14 },
      {},
      { next_at: '2026-03-28T12:00:00Z', start_date: '2026-03-14' },
    ],
    [
      'a start date',
      {},
      { start_date: '2026-04-01' },
      { next_at: '2026-04-01T00:00:00Z', start_date: '2026-04-01' },
    ],
    [
      'a start date and a trial',
      { trial_length: 14 },
      { start_date: '2026-04-01' },
      { next_at: '2026-04-15T00:00:00Z', start_date: '2026-04-01' },
    ],
  ] as const)
    test(`a payment with ${what} leaves the first period to a later charge`, async () => {
      const { id: plan_id } = await newPlan(shop, { periods: 3, ...plan })
      expect((await subscribe({ plan_id, ...order })).subscription).toMatchObject({
        period_count: 0,
        periods_left: 3,
        ...expected,
      })
    })

  test('an order with a quantity and items stores both for every charge', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { subscription } = await subscribe({
      plan_id,
      subscription_quantity: 3,
      'subscription_items[0][artno]': ITEM.artno,
      'subscription_items[0][description]': ITEM.description,
      'subscription_items[0][amount]': ITEM.amount,
      'subscription_items[0][qty]': ITEM.qty,
      'subscription_items[0][vat]': ITEM.vat,
    })
    expect(subscription).toMatchObject({ subscription_quantity: 3, multiplier: 3, items: [ITEM] })
  })

  test('an order with customer_ref belongs to that customer', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { customer, subscription } = await subscribe({ plan_id, customer_ref: 'anna' })
    expect(subscription.customer).toEqual(customer)
    expect((await shop.get(`/v1/customers/${customer.id}`)).body).toMatchObject({ ref: 'anna' })
  })

  test('a subscription with a single period ends immediately', async () => {
    const { id: plan_id } = await newPlan(shop, { periods: 1 })
    const { subscription } = await subscribe({ plan_id })
    expect(subscription).toMatchObject({ status: 'cancelled', period_count: 1, periods_left: 0 })
    const put = (fields: Fields) => shop.put(`/v1/subscriptions/${subscription.id}`, fields)
    expect(refusalOf(await put({ quantity: 2 }))).toBe('errors.subscription.paid')
    expect(refusalOf(await put({ plan_id: (await newPlan(shop)).id }))).toBe(
      'errors.subscription.paid',
    )
    expect(refusalOf(await put({ status: 'active' }))).toBe('errors.subscription.status_invalid')
    expect(refusalOf(await put({ status: 'cancelled' }))).toBe('accepted')
  })

  test('a payment that only reserves the money starts the subscription too', async () => {
    const { id: plan_id } = await newPlan(shop)
    const paid = await subscribe({ plan_id, authorize: true })
    expect(paid).toMatchObject({ status: 'authorized', subscription: { status: 'active' } })
  })

  test('a payment with a stored card starts a subscription on that card', async () => {
    const { id: plan_id } = await newPlan(shop)
    const card = await newCard(shop)
    const paid = await subscribe({
      plan_id,
      card_number: card.token,
      card_type: 'STORED_CARD',
      card_holder: undefined,
      card_cvv: undefined,
      card_expiry: undefined,
    })
    expect(paid.subscription).toMatchObject({
      stored_card: { id: card.id },
      customer: card.customer,
    })
  })

  test('a payment that the bank declines starts nothing', async () => {
    const { id: plan_id } = await newPlan(shop)
    const before = await subscriptions()
    const order = payment({ plan_id, card_cvv: '201' })
    expect(refusalOf(await shop.post('/v1/transactions', order))).toBe('errors.payment.declined')
    const { body } = await shop.get<Extended[]>('/v1/transactions', {
      'filter[payment_ref]': String(order.payment_ref),
    })
    expect(body[0]).toMatchObject({ status: 'declined', subscription: null, stored_card: null })
    expect(await subscriptions()).toBe(before)
  })
})

describe('a payment of zero for a plan', () => {
  const FREE = { amount: '0.00' }

  test('stores the card and starts the subscription with its trial', async () => {
    const { id: plan_id } = await newPlan(shop, { trial_length: 14, periods: 3 })
    expect(await subscribe({ plan_id, ...FREE })).toMatchObject({
      status: 'approved',
      amount: '0.00',
      org_auth_amount: 0,
      stored_card: { id: expect.any(Number) },
      subscription: {
        status: 'active',
        price: '99.00',
        period_count: 0,
        periods_left: 3,
        next_at: '2026-03-28T12:00:00Z',
      },
    })
  })

  test('pays no period: without a trial, the first charge is due immediately', async () => {
    const { id: plan_id } = await newPlan(shop, { periods: 1 })
    expect((await subscribe({ plan_id, ...FREE })).subscription).toMatchObject({
      status: 'active',
      period_count: 0,
      next_at: '2026-03-14T12:00:00Z',
    })
  })

  test('is approved immediately even if it should be reserved, because it could not be captured', async () => {
    const { id: plan_id } = await newPlan(shop)
    const order = { plan_id, ...FREE, authorize: true }
    expect(await subscribe(order)).toMatchObject({
      status: 'approved',
      subscription: { status: 'active' },
    })
    expect((await pay((await prepare(order)).id)).body.status).toBe('approved')
  })

  test('works with a stored card too', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id, token } = await newCard(shop)
    const paid = await subscribe({ plan_id, ...FREE, card_number: token, card_type: 'STORED_CARD' })
    expect(paid).toMatchObject({ status: 'approved', subscription: { stored_card: { id } } })
  })

  test('asks the bank, which can decline', async () => {
    const { id: plan_id } = await newPlan(shop)
    const before = await subscriptions()
    const order = payment({ plan_id, ...FREE, card_cvv: '201' })
    expect(refusalOf(await shop.post('/v1/transactions', order))).toBe('errors.payment.declined')
    expect(await subscriptions()).toBe(before)
  })

  test('can be prepared, and completed with an update or on the page', async () => {
    const { id: plan_id } = await newPlan(shop)
    expect((await pay((await prepare({ plan_id, ...FREE })).id)).body.subscription).toMatchObject({
      status: 'active',
    })
    const { id, href } = await prepare({ plan_id, ...FREE })
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: '' }
    await shop.send('POST', new URL(href).pathname, String(new URLSearchParams(CARD)), form)
    expect((await shop.get(`/v1/transactions/${id}`)).body).toMatchObject({
      status: 'approved',
      subscription: { id: expect.any(Number) },
    })
  })

  test('is rejected without a plan, and with other methods, which store no card: error 109', async () => {
    const { id: plan_id } = await newPlan(shop)
    for (const order of [
      payment(FREE),
      payment({ ...FREE, store_card: true }),
      prepared({ ...FREE, plan_id, payment_method: 'bank', process: true }),
      invoice(
        {},
        {
          ...FREE,
          plan_id,
          items: '[{"artno":"A","description":"A","amount":"0.00","qty":"1","vat":"0"}]',
        },
      ),
    ]) {
      const answer = await shop.post('/v1/transactions', order)
      expect(refusalOf(answer)).toBe('errors.amount.invalid')
      expect(answer.headers.get('mondido-explain')).toContain('plan_id')
    }
  })
})

test('a transaction without a plan has no subscription, even with other fields of an order', async () => {
  const { status, body } = await shop.post(
    '/v1/transactions',
    payment({
      plan_id: '',
      subscription_quantity: 'many',
      start_date: 'soon',
      subscription_items: 'x',
    }),
  )
  expect({ status, subscription: body.subscription, stored_card: body.stored_card }).toEqual({
    status: 200,
    subscription: null,
    stored_card: null,
  })
})

describe('an invalid order is rejected before the bank is asked', () => {
  for (const [over, error] of [
    [{ plan_id: 987_654_321 }, 'errors.plan.not_found'],
    [{ plan_id: 'gold' }, 'errors.plan.invalid'],
    [{ plan_id: -1 }, 'errors.plan.invalid'],
    [{ currency: 'nok' }, 'errors.price.missing'],
    [{ subscription_quantity: 0 }, 'errors.request.bad_format'],
    [{ subscription_quantity: 1e9 }, 'errors.request.bad_format'],
    [{ start_date: '2026-03-13' }, 'errors.request.bad_format'],
    [{ start_date: '2026-02-31' }, 'errors.request.bad_format'],
    [{ subscription_items: 'x' }, 'errors.json.malformed'],
  ] as const)
    for (const [kind, request] of [
      ['paid at once', payment],
      ['prepared', prepared],
    ] as const)
      test(`${kind}, with ${JSON.stringify(over)}: ${error}`, async () => {
        const { id: plan_id } = await newPlan(shop)
        const order = request({ plan_id, ...over })
        expect(refusalOf(await shop.post('/v1/transactions', order))).toBe(error)
        const left = await shop.get('/v1/transactions', {
          'filter[payment_ref]': String(order.payment_ref),
        })
        expect(left.body).toEqual([])
      })

  test('a cancelled plan cannot be ordered', async () => {
    const { id: plan_id } = await newPlan(shop)
    await shop.send('DELETE', `/v1/plans/${plan_id}`)
    expect(refusalOf(await shop.post('/v1/transactions', payment({ plan_id })))).toBe(
      'errors.plan.deactivated',
    )
  })
})

const order = {
  start_date: '2026-04-01',
  subscription_quantity: 2,
  subscription_items: JSON.stringify([ITEM]),
}

describe('an order of a prepared transaction', () => {
  test('starts its subscription only when it is paid', async () => {
    const { id: plan_id } = await newPlan(shop)
    const transaction = await prepare({ plan_id, ...order })
    expect(transaction).toMatchObject({ status: 'pending', subscription: null })
    const { body } = await pay(transaction.id)
    expect(body).toMatchObject({
      status: 'approved',
      subscription: {
        plan: { id: plan_id },
        next_at: '2026-04-01T00:00:00Z',
        subscription_quantity: 2,
        items: [ITEM],
        stored_card: { id: body.stored_card.id },
        customer: { id: body.customer.id },
      },
    })
  })

  test('can be paid on the payment page as well', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id, href } = await prepare({ plan_id })
    const form = { 'content-type': 'application/x-www-form-urlencoded', authorization: '' }
    const answer = await shop.send(
      'POST',
      new URL(href).pathname,
      String(new URLSearchParams(CARD)),
      form,
    )
    expect(answer.headers.get('location')).toContain('https://shop.example/thanks')
    const { body } = await shop.get<Extended>(`/v1/transactions/${id}`, { extend: 'subscription' })
    expect(body.subscription).toMatchObject({ plan: { id: plan_id }, period_count: 1 })
  })

  test('starts one subscription if a declined payment is tried again', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({ plan_id })
    expect(refusalOf(await pay(id, { card_cvv: '201' }))).toBe('errors.payment.declined')
    const { subscription } = (await pay(id)).body
    expect(refusalOf(await pay(id))).toBe('errors.transaction.processed')
    const list = await shop.get<Subscription[]>('/v1/subscriptions', { 'filter[plan_id]': plan_id })
    expect(list.body.map((each) => each.id)).toEqual([subscription.id])
  })

  test('starts immediately, with its first period paid, if its start date is past at the payment', async () => {
    const own = await startGateway()
    const { id: plan_id } = await newPlan(own)
    const { id } = (
      await own.post('/v1/transactions', prepared({ plan_id, start_date: '2026-03-15' }))
    ).body
    own.clock.advance(3 * 24 * 60 * 60 * 1000)
    const { body } = await own.put<Extended>(`/v1/transactions/${id}${EXTEND}`, CARD)
    expect(body.subscription).toMatchObject({ period_count: 1, next_at: '2026-04-17T12:00:00Z' })
    await own.close()
  })

  test('cannot be paid after the plan was cancelled, but can still be changed', async () => {
    const [{ id: plan_id }, other] = [await newPlan(shop), await newPlan(shop)]
    const { id } = await prepare({ plan_id })
    await shop.send('DELETE', `/v1/plans/${plan_id}`)
    expect(refusalOf(await pay(id))).toBe('errors.plan.deactivated')
    expect((await shop.get(`/v1/transactions/${id}`)).body).toMatchObject({ status: 'pending' })
    expect((await pay(id, { plan_id: other.id })).body.subscription.plan).toEqual({ id: other.id })
  })
})

describe('a changed order of a prepared transaction', () => {
  test('is replaced as a whole by an update that names a plan', async () => {
    const [first, second] = [await newPlan(shop), await newPlan(shop)]
    const { id } = await prepare({ plan_id: first.id, ...order })
    const update = { plan_id: second.id, subscription_quantity: 5, process: false }
    expect((await shop.put(`/v1/transactions/${id}`, update)).body).toMatchObject({
      status: 'pending',
    })
    expect((await pay(id)).body.subscription).toMatchObject({
      plan: { id: second.id },
      subscription_quantity: 5,
      items: [],
      period_count: 1,
    })
  })

  test('an order in an update is rejected like a new one', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({})
    expect(
      refusalOf(await shop.put(`/v1/transactions/${id}`, { plan_id: 987_654_321, process: false })),
    ).toBe('errors.plan.not_found')
    expect((await pay(id, { plan_id })).body).toMatchObject({
      subscription: { plan: { id: plan_id } },
      stored_card: { id: expect.any(Number) },
    })
  })

  test('must have a price in the currency of its payment', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({ plan_id })
    expect(refusalOf(await pay(id, { currency: 'nok' }))).toBe('errors.price.missing')
    expect((await pay(id, { currency: 'eur' })).body.subscription).toMatchObject({
      price: '9.90',
      currency: 'eur',
    })
  })

  test('cannot be changed once it is paid', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await subscribe({ plan_id })
    for (const change of [
      { plan_id: plan_id + 1 },
      { plan_id, subscription_quantity: 2 },
      { subscription_quantity: 2 },
    ])
      expect(
        refusalOf(await shop.put(`/v1/transactions/${id}`, { ...change, process: false })),
      ).toBe('errors.transaction.processed')
    expect(
      (await shop.put(`/v1/transactions/${id}`, { plan_id, process: false })).body,
    ).toMatchObject({ id })
  })

  test('stores the card, whatever store_card a later update has', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({ plan_id })
    await shop.put(`/v1/transactions/${id}`, { store_card: false, process: false })
    expect((await pay(id)).body.subscription).toMatchObject({ plan: { id: plan_id } })
  })

  test('a paid order still accepts metadata after its plan was deleted', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await subscribe({ plan_id })
    await shop.send('DELETE', `/v1/plans/${plan_id}`)
    const again = { plan_id, currency: 'sek', amount: '10.00', process: false, 'metadata[a]': 1 }
    expect((await shop.put(`/v1/transactions/${id}`, again)).body).toMatchObject({
      metadata: { a: '1' },
    })
  })

  test('keeps the plan if an update changes another field and sends no plan_id', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({ plan_id, ...order, subscription_quantity: 2 })
    await shop.put(`/v1/transactions/${id}`, { subscription_quantity: 5, process: false })
    expect((await pay(id)).body.subscription).toMatchObject({
      plan: { id: plan_id },
      subscription_quantity: 5,
      items: [expect.objectContaining({ artno: expect.any(String) })],
    })
  })

  for (const [wrong, error] of [
    [{ subscription_quantity: 'x' }, 'errors.request.bad_format'],
    [{ start_date: 'zzz' }, 'errors.request.bad_format'],
    [{ subscription_items: '[1]' }, 'errors.items.not_array'],
    [{ currency: 'usd' }, 'errors.price.missing'],
  ] as const)
    test(`is not changed to ${JSON.stringify(wrong)}`, async () => {
      const { id: plan_id } = await newPlan(shop)
      const { id } = await prepare({ plan_id })
      expect(
        refusalOf(await shop.put(`/v1/transactions/${id}`, { ...wrong, process: false })),
      ).toBe(error)
    })

  test('an order without a plan is ignored: its fields are neither stored nor logged', async () => {
    const { id } = await prepare({})
    const { body } = await shop.put(`/v1/transactions/${id}`, {
      subscription_quantity: 5,
      amount: '2.00',
      process: false,
    })
    expect(body.log_events.at(-1)?.data).toMatchObject({ event: 'updated', parameters: ['amount'] })
  })
})

describe('a plan in a payment without a card', () => {
  test('starts no subscription, and the answer and the log report it', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { body, headers } = await shop.post<Extended>(
      '/v1/transactions',
      invoice({}, { plan_id }),
    )
    expect(body).toMatchObject({ status: 'authorized', subscription: null, stored_card: null })
    expect(body.log_events.at(-1)?.data).toMatchObject({ event: 'not_subscribed', plan_id })
    expect(headers.get('mondido-explain')).toContain('No subscription was created')
    expect((await shop.get(`/v1/transactions/${body.id}`)).body.log_events).toEqual(body.log_events)
  })

  test('is reported in the same way for a prepared transaction', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare(preparedInvoice({}, { plan_id }))
    const { body, headers } = await shop.put<Extended>(`/v1/transactions/${id}`, {})
    expect(body).toMatchObject({ status: 'authorized', subscription: null })
    expect(headers.get('mondido-explain')).toContain('No subscription was created')
  })

  test('can still be paid with a card while the payer has not answered', async () => {
    const { id: plan_id } = await newPlan(shop)
    const swish = prepared({
      plan_id,
      payment_method: 'swish',
      swish_number: '0701234567',
      process: true,
    })
    const { body, headers } = await shop.post<Extended>('/v1/transactions', swish)
    expect({ status: body.status, explain: headers.get('mondido-explain') }).toEqual({
      status: 'pending',
      explain: null,
    })
    expect(body.log_events.map(({ data }) => data.event)).not.toContain('not_subscribed')
    expect((await pay(body.id)).body.subscription).toMatchObject({ plan: { id: plan_id } })
  })
})

test('a browser’s payment form starts a subscription', async () => {
  const { id: plan_id } = await newPlan(shop)
  const urls = {
    success_url: 'https://shop.example/thanks',
    error_url: 'https://shop.example/sorry',
  }
  const fields = hashed(payment({ merchant_id: 1, plan_id, ...urls }), shop.merchant)
  const { headers } = await shop.browser.post('/v1/form', fields)
  expect(headers.get('location')).toContain('/thanks')
  const { body } = await shop.get<Subscription[]>('/v1/subscriptions', {
    'filter[plan_id]': plan_id,
  })
  expect(body).toHaveLength(1)
})

describe('the transactions of a subscription', () => {
  for (const path of ['subscription', 'subscriptions'])
    test(`are listed under /v1/${path}, without those of other subscriptions`, async () => {
      const { id: plan_id } = await newPlan(shop)
      const [mine] = [await subscribe({ plan_id }), await subscribe({ plan_id })]
      const list = await shop.get<Extended[]>(`/v1/${path}/${mine.subscription.id}/transactions`)
      expect(list.body.map(({ id }) => id)).toEqual([mine.id])
      expect(list.headers.get('content-range')).toBe('items 1-1/1')
      expect(list.body[0]?.subscription).toEqual({ id: mine.subscription.id })
    })

  test('support the filters and the extend of every list of transactions', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { subscription } = await subscribe({ plan_id })
    const list = (fields: Fields) =>
      shop.get<Extended[]>(`/v1/subscription/${subscription.id}/transactions`, fields)
    expect((await list({ 'filter[status]': 'declined' })).body).toEqual([])
    const [extended] = (await list({ extend: 'subscription,plan' })).body
    expect(extended?.subscription.plan).toMatchObject({ id: plan_id, name: 'Monthly' })
  })

  test('are found by subscription_id in the list of all transactions', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id, subscription } = await subscribe({ plan_id })
    const { body } = await shop.get<Extended[]>('/v1/transactions', {
      'filter[subscription_id]': subscription.id,
    })
    expect(body.map((each) => each.id)).toEqual([id])
  })
})
