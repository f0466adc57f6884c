import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import { CARD, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { newCard, newPlan, newSubscription, refusalOf } from './new-subscription.ts'

const ITEM = { artno: 'A1', description: 'Delivery', amount: '5.00', qty: '1', vat: '25' }

const shop = await sharedGateway()

const read = async (id: number) => (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body

describe('a subscription on a stored card', () => {
  test('is returned with every field', async () => {
    const [plan, card] = [await newPlan(shop, { periods: 12 }), await newCard(shop)]
    const { status, body } = await shop.post<Subscription>('/v1/subscriptions', {
      plan_id: plan.id,
      stored_card_id: card.id,
      quantity: 3,
      subscription_items: JSON.stringify([ITEM]),
      'metadata[shop]': 'north',
    })
    expect(status).toBe(200)
    expect(body).toEqual({
      id: body.id,
      created_at: '2026-03-14T12:00:00Z',
      updated_at: '2026-03-14T12:00:00Z',
      status: 'active',
      price: '99.00',
      currency: 'sek',
      interval: 1,
      interval_unit: 'months',
      total_periods: 12,
      period_count: 1,
      periods_left: 11,
      start_date: '2026-03-14',
      next_at: '2026-04-14T12:00:00Z',
      subscription_quantity: 3,
      multiplier: 3,
      debt: '0.00',
      retry_count: 0,
      test: true,
      items: [ITEM],
      metadata: { shop: 'north' },
      plan: { id: plan.id },
      customer: card.customer,
      stored_card: { id: card.id },
    })
    expect(await read(body.id)).toEqual(body)
    expect((await shop.get(`/v1/subscription/${body.id}`)).body).toEqual(body)
  })

  test('has the price in the card’s currency', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [
      await newPlan(shop),
      await newCard(shop, { currency: 'EUR' }),
    ]
    const { body } = await shop.post<Subscription>('/v1/subscriptions', { plan_id, stored_card_id })
    expect(body).toMatchObject({ price: '9.90', currency: 'eur' })
  })

  test('starts on its start date, after the trial', async () => {
    const { start_date, next_at } = await newSubscription(
      shop,
      { start_date: '2026-04-01' },
      { trial_length: 14 },
    )
    expect({ start_date, next_at }).toEqual({
      start_date: '2026-04-01',
      next_at: '2026-04-15T00:00:00Z',
    })
  })

  for (const name of ['customer_id', 'customer_ref'] as const)
    test(`is charged to the newest active card of the customer that ${name} names`, async () => {
      const ref = `payer by ${name}`
      const older = await newCard(shop, { customer_ref: ref })
      const newest = await newCard(shop, { customer_ref: ref })
      const cancelled = await newCard(shop, { customer_ref: ref })
      await shop.send('DELETE', `/v1/stored_cards/${cancelled.id}`)
      const { id: plan_id } = await newPlan(shop)
      const who = { customer_id: older.customer?.id, customer_ref: ref }[name]
      const { body } = await shop.post<Subscription>('/v1/subscriptions', { plan_id, [name]: who })
      expect(body).toMatchObject({ stored_card: { id: newest.id }, customer: older.customer })
    })
})

describe('a rejected subscription', () => {
  const refused = async (fields: Parameters<TestGateway['post']>[1]) =>
    refusalOf(await shop.post('/v1/subscriptions', { hash: undefined, ...fields }))

  test('a request without a plan is rejected before any other check', async () => {
    expect(await refused({ plan_id: '' })).toBe('errors.plan.missing')
  })

  for (const [over, error] of [
    [{ plan_id: 'gold' }, 'errors.plan.invalid'],
    [{ plan_id: 987_654_321 }, 'errors.plan.not_found'],
    [{ quantity: 0 }, 'errors.request.bad_format'],
    [{ subscription_quantity: 1_000_001 }, 'errors.request.bad_format'],
    [{ quantity: 2, subscription_quantity: 3 }, 'errors.request.bad_format'],
    [{ start_date: '2026-03-13' }, 'errors.request.bad_format'],
    [{ subscription_items: '[{}]' }, 'errors.items.artno_missing'],
    [{ metadata: '[1]' }, 'errors.metadata.invalid'],
    [{ stored_card_id: undefined }, 'errors.customer.missing'],
    [{ stored_card_id: 987_654_321 }, 'errors.stored_card.not_found'],
    [{ stored_card_id: undefined, customer_id: 987_654_321 }, 'errors.customer.not_found'],
    [{ stored_card_id: undefined, customer_id: 'anna' }, 'errors.customer.not_found'],
    [{ stored_card_id: undefined, customer_ref: 'nobody' }, 'errors.customer.not_found'],
  ] as const)
    test(`a request with ${JSON.stringify(over)} gets ${error}`, async () => {
      const [{ id: plan_id }, { id: stored_card_id }] = [await newPlan(shop), await newCard(shop)]
      expect(await refused({ plan_id, stored_card_id, ...over })).toBe(error)
    })

  test('a cancelled plan is rejected', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [await newPlan(shop), await newCard(shop)]
    await shop.send('DELETE', `/v1/plans/${plan_id}`)
    expect(await refused({ plan_id, stored_card_id })).toBe('errors.plan.deactivated')
  })

  test('a plan without a price in the currency of the card is rejected', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [
      await newPlan(shop),
      await newCard(shop, { currency: 'nok' }),
    ]
    expect(await refused({ plan_id, stored_card_id })).toBe('errors.price.missing')
  })

  test('a subscription that could never be charged is rejected', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [
      await newPlan(shop, { prices: '{"sek":"90071992547409.91"}' }),
      await newCard(shop),
    ]
    expect(await refused({ plan_id, stored_card_id, quantity: 2 })).toBe('errors.amount.invalid')
  })

  test('a cancelled card is rejected', async () => {
    const [{ id: plan_id }, { id: stored_card_id }] = [await newPlan(shop), await newCard(shop)]
    await shop.send('DELETE', `/v1/stored_cards/${stored_card_id}`)
    expect(await refused({ plan_id, stored_card_id })).toBe('errors.stored_card.not_active')
  })

  test('a card that has expired since is rejected, also if a customer names it', async () => {
    const own = await startGateway()
    const [plan, card] = [await newPlan(own), await newCard(own, { ...CARD, card_expiry: '0326' })]
    own.clock.advance(30 * 24 * 60 * 60 * 1000)
    for (const payer of [{ stored_card_id: card.id }, { customer_id: card.customer?.id }])
      expect(refusalOf(await own.post('/v1/subscriptions', { plan_id: plan.id, ...payer }))).toBe(
        'errors.card.expired',
      )
    await own.close()
  })

  test('a customer without an active card is rejected', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id: customer_id } = (await shop.post('/v1/customers')).body
    expect(await refused({ plan_id, customer_id })).toBe('errors.stored_card.not_found')
  })
})

describe('a change', () => {
  const put = (id: number, fields: Parameters<TestGateway['put']>[1]) =>
    shop.put<Subscription>(`/v1/subscriptions/${id}`, fields)

  test('status=cancelled cancels the subscription, and has no effect on a cancelled one', async () => {
    const subscription = await newSubscription(shop)
    expect((await put(subscription.id, { status: 'cancelled' })).body).toEqual({
      ...subscription,
      status: 'cancelled',
    })
    const again = await put(subscription.id, { status: 'cancelled' })
    expect(again.body).toEqual({ ...subscription, status: 'cancelled' })
  })

  for (const status of ['stopped', 'canceled', 'pending'])
    test(`a change to the status ${status} is rejected`, async () => {
      const { id } = await newSubscription(shop)
      expect(refusalOf(await put(id, { status }))).toBe('errors.status.invalid')
    })

  test('a change to a status is read in upper or lower case', async () => {
    const { id } = await newSubscription(shop)
    expect((await put(id, { status: 'CANCELLED' })).body.status).toBe('cancelled')
  })

  test('a change of quantity and debt is returned with two decimals', async () => {
    const subscription = await newSubscription(shop)
    expect((await put(subscription.id, { quantity: 5, debt: '-12.5' })).body).toEqual({
      ...subscription,
      subscription_quantity: 5,
      multiplier: 5,
      debt: '-12.50',
    })
  })

  test('a change of metadata is merged', async () => {
    const { id } = await newSubscription(shop, { metadata: '{"a":{"b":1},"c":2}' })
    expect((await put(id, { metadata: '{"a":{"d":3},"c":4}' })).body.metadata).toEqual({
      a: { b: 1, d: 3 },
      c: 4,
    })
  })

  test('a change of the plan applies its terms from the next charge on, without its trial', async () => {
    const before = await newSubscription(shop, { start_date: '2026-05-31' }, { periods: 12 })
    const weekly = await newPlan(shop, {
      interval_unit: 'days',
      interval: 7,
      prices: '{"sek":"25.00"}',
      periods: 4,
      trial_length: 30,
    })
    expect((await put(before.id, { plan_id: weekly.id })).body).toEqual({
      ...before,
      plan: { id: weekly.id },
      price: '25.00',
      interval: 7,
      interval_unit: 'days',
      total_periods: 4,
      periods_left: 4,
    })
  })

  test('a change to the current plan has no effect: the original price stays', async () => {
    const subscription = await newSubscription(shop)
    const plan_id = subscription.plan.id
    await shop.put(`/v1/plans/${plan_id}`, { prices: '{"sek":"199.00"}' })
    expect((await put(subscription.id, { plan_id })).body.price).toBe('99.00')
  })

  for (const [fields, error] of [
    [{ plan_id: 'gold' }, 'errors.plan.invalid'],
    [{ plan_id: 987_654_321 }, 'errors.plan.not_found'],
    [{ quantity: 0 }, 'errors.request.bad_format'],
    [{ debt: 'much' }, 'errors.amount.invalid'],
    [{ debt: '90071992547409.91' }, 'errors.amount.invalid'],
    [{ metadata: '[1]' }, 'errors.metadata.invalid'],
  ] as const)
    test(`a change with ${JSON.stringify(fields)} is rejected: ${error}, and changes nothing`, async () => {
      const subscription = await newSubscription(shop)
      shop.clock.advance(1000)
      expect(refusalOf(await put(subscription.id, { quantity: 7, ...fields }))).toBe(error)
      expect(await read(subscription.id)).toEqual(subscription)
    })

  test('a change to a plan that is cancelled or has no such price is rejected', async () => {
    const { id } = await newSubscription(shop)
    const [cancelled, foreign] = [
      await newPlan(shop),
      await newPlan(shop, { prices: '{"nok":"9.00"}' }),
    ]
    await shop.send('DELETE', `/v1/plans/${cancelled.id}`)
    expect(refusalOf(await put(id, { plan_id: cancelled.id }))).toBe('errors.plan.deactivated')
    expect(refusalOf(await put(id, { plan_id: foreign.id }))).toBe('errors.price.missing')
  })

  for (const fields of [
    { status: 'active' },
    { quantity: 2 },
    { debt: '1.00' },
    { plan_id: 1 },
    { stored_card_id: 1 },
  ])
    test(`a change of a cancelled subscription is rejected: ${JSON.stringify(fields)}`, async () => {
      const { id } = await newSubscription(shop)
      await put(id, { status: 'cancelled' })
      expect(refusalOf(await put(id, fields))).toBe('errors.subscription.status_invalid')
    })

  test('a change of a cancelled subscription can still change its metadata', async () => {
    const { id } = await newSubscription(shop)
    await put(id, { status: 'cancelled' })
    expect((await put(id, { 'metadata[note]': 'moved' })).body).toMatchObject({
      status: 'cancelled',
      metadata: { note: 'moved' },
    })
  })

  test('a change to unchanged values is accepted, also for a stopped subscription, because clients send it back whole', async () => {
    const subscription = await newSubscription(shop)
    for (const status of ['active', 'cancelled', 'cancelled'] as const) {
      const { debt, subscription_quantity, plan, stored_card } = subscription
      const whole = {
        status,
        debt,
        subscription_quantity,
        plan_id: plan.id,
        stored_card_id: stored_card?.id,
      }
      expect((await put(subscription.id, whole)).body).toEqual({ ...subscription, status })
    }
  })

  test('a change of quantity under both of its names must have the same number', async () => {
    const subscription = await newSubscription(shop)
    expect(refusalOf(await put(subscription.id, { quantity: 2, subscription_quantity: 3 }))).toBe(
      'errors.request.bad_format',
    )
    expect(await read(subscription.id)).toEqual(subscription)
    expect(
      (await put(subscription.id, { quantity: 3, subscription_quantity: 3 })).body.multiplier,
    ).toBe(3)
  })
})

test('a deleted subscription is cancelled, and stays cancelled', async () => {
  const subscription = await newSubscription(shop)
  for (const _ of [1, 2])
    expect((await shop.send('DELETE', `/v1/subscriptions/${subscription.id}`)).body).toMatchObject({
      id: subscription.id,
      status: 'cancelled',
    })
})

for (const [method, path] of [
  ['GET', '/v1/subscriptions/987654321'],
  ['GET', '/v1/subscriptions/987654321/transactions'],
  ['GET', '/v1/subscription/gold/transactions'],
  ['PUT', '/v1/subscriptions/987654321'],
  ['DELETE', '/v1/subscriptions/987654321'],
] as const)
  test(`${method} ${path} finds no subscription`, async () => {
    const { status, body } = await shop.send(method, path)
    expect({ status, code: body.code, name: body.name }).toEqual({
      status: 404,
      code: 141,
      name: 'errors.subscription.not_found',
    })
  })

describe('lists', () => {
  test('contain all subscriptions, or those of one customer', async () => {
    const own = await startGateway()
    const [first, second] = [await newSubscription(own), await newSubscription(own)]
    const all = await own.get<Subscription[]>('/v1/subscriptions')
    expect(all.body).toEqual([second, first])
    expect(all.headers.get('content-range')).toBe('items 1-2/2')
    const ofOne = await own.get<Subscription[]>(`/v1/customers/${first.customer?.id}/subscriptions`)
    expect(ofOne.body).toEqual([first])
    expect(ofOne.headers.get('content-range')).toBe('items 1-1/1')
    expect(refusalOf(await own.get('/v1/customers/987654321/subscriptions'))).toBe(
      'errors.customer.not_found',
    )
    await own.close()
  })

  for (const [filter, value] of [
    ['status', 'cancelled'],
    ['price', '100..'],
    ['next_at', '20260401..'],
    ['plan_id', '2'],
    ['customer_id', '2'],
    ['stored_card_id', '2'],
    ['id', '2..'],
  ] as const)
    test(`are filtered by ${filter}=${value}`, async () => {
      const own = await startGateway()
      await newSubscription(own)
      const wanted = await newSubscription(
        own,
        { start_date: '2026-04-01' },
        { prices: '{"sek":"100.00"}' },
      )
      await own.send('DELETE', `/v1/subscriptions/${wanted.id}`)
      const { body } = await own.get<Subscription[]>('/v1/subscriptions', {
        [`filter[${filter}]`]: value,
      })
      expect(body.map(({ id }) => id)).toEqual([wanted.id])
      await own.close()
    })

  test('accept the documented fields', async () => {
    expect(refusalOf(await shop.get('/v1/subscriptions', { 'filter[price_list]': 1 }))).toBe(
      'errors.filter_parameter.not_supported',
    )
  })
})

describe('the parameter extend', () => {
  test('adds the plan, also in the list of a customer', async () => {
    const { customer } = await newSubscription(shop, {}, { name: 'Gold', description: 'The best' })
    const { body } = await shop.get<Subscription[]>(`/v1/customers/${customer?.id}/subscriptions`, {
      extend: 'plan',
    })
    expect(body[0]?.plan).toMatchObject({
      name: 'Gold',
      description: 'The best',
      prices: { sek: '99.00' },
    })
  })

  test('accepts several names, also nested ones', async () => {
    const { id, customer, stored_card } = await newSubscription(shop)
    const { body } = await shop.get<Subscription>(`/v1/subscriptions/${id}`, {
      extend: 'customer,stored_card',
    })
    expect(body.customer).toMatchObject({ id: customer?.id, ref: null })
    expect(body.stored_card).toMatchObject({
      id: stored_card?.id,
      status: 'active',
      customer: body.customer,
    })
    expect(Object.keys(body.plan)).toEqual(['id'])
  })
})
