import { describe, expect, test } from 'vitest'
import type { Plan, Subscription } from '../../../mock-gateway/contract/wire.ts'
import type { TestGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { newCard, newPlan, newSubscription, refusalOf } from './new-subscription.ts'

const shop = await sharedGateway()

const read = async (id: number) => (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body

describe('a subscription on a stored card', () => {
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
})

test('a deleted subscription is cancelled, and stays cancelled', async () => {
  const subscription = await newSubscription(shop)
  for (const _ of [1, 2])
    expect((await shop.send('DELETE', `/v1/subscriptions/${subscription.id}`)).body).toMatchObject({
      id: subscription.id,
      status: 'cancelled',
    })
})

describe('a change', () => {
  test('changes the sent fields, and sets the date of the plan', async () => {
    const plan = await newPlan(shop, { periods: 6 })
    shop.clock.advance(60_000)
    const { body } = await shop.put<Plan>(`/v1/plans/${plan.id}`, { name: 'Yearly', interval: 12 })
    const updated_at = new Date(shop.clock.now()).toISOString().replace('.000', '')
    expect(body).toEqual({ ...plan, name: 'Yearly', interval: 12, updated_at })
    expect((await shop.get(`/v1/plans/${plan.id}`)).body).toEqual(body)
  })

  test('a rejected change changes nothing', async () => {
    const plan = await newPlan(shop)
    expect(refusalOf(await shop.put(`/v1/plans/${plan.id}`, { name: 'Other', interval: 0 }))).toBe(
      'errors.interval.invalid',
    )
    expect((await shop.get(`/v1/plans/${plan.id}`)).body).toEqual(plan)
  })
})
