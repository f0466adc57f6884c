import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import { CARD, type Fields, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { invoice, preparedInvoice } from '../payment-methods/fields.ts'
import { type Extended, newPlan, refusalOf } from './new-subscription.ts'

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

  test('a payment with a start date and a trial leaves the first period to a later charge', async () => {
    const { id: plan_id } = await newPlan(shop, { periods: 3, trial_length: 14 })
    expect((await subscribe({ plan_id, start_date: '2026-04-01' })).subscription).toMatchObject({
      period_count: 0,
      periods_left: 3,
      next_at: '2026-04-15T00:00:00Z',
      start_date: '2026-04-01',
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

describe('an invalid order is rejected before the bank is asked', () => {
  for (const [over, error] of [
    [{ plan_id: 987_654_321 }, 'errors.plan.not_found'],
    [{ currency: 'nok' }, 'errors.price.missing'],
    [{ subscription_quantity: 0 }, 'errors.request.bad_format'],
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
})

describe('an order of a prepared transaction', () => {
  test('starts one subscription if a declined payment is tried again', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = await prepare({ plan_id })
    expect(refusalOf(await pay(id, { card_cvv: '201' }))).toBe('errors.payment.declined')
    const { subscription } = (await pay(id)).body
    expect(refusalOf(await pay(id))).toBe('errors.transaction.processed')
    const list = await shop.get<Subscription[]>('/v1/subscriptions', { 'filter[plan_id]': plan_id })
    expect(list.body.map((each) => each.id)).toEqual([subscription.id])
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

test('a changed order of a prepared transaction cannot be changed once it is paid', async () => {
  const { id: plan_id } = await newPlan(shop)
  const { id } = await subscribe({ plan_id })
  for (const change of [
    { plan_id: plan_id + 1 },
    { plan_id, subscription_quantity: 2 },
    { subscription_quantity: 2 },
  ])
    expect(refusalOf(await shop.put(`/v1/transactions/${id}`, { ...change, process: false }))).toBe(
      'errors.transaction.processed',
    )
  expect(
    (await shop.put(`/v1/transactions/${id}`, { plan_id, process: false })).body,
  ).toMatchObject({ id })
})

test('a plan in a payment without a card is reported in the same way for a prepared transaction', async () => {
  const { id: plan_id } = await newPlan(shop)
  const { id } = await prepare(preparedInvoice({}, { plan_id }))
  const { body, headers } = await shop.put<Extended>(`/v1/transactions/${id}`, {})
  expect(body).toMatchObject({ status: 'authorized', subscription: null })
  expect(headers.get('mondido-explain')).toContain('No subscription was created')
})
