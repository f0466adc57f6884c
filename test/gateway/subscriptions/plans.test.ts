import { describe, expect, test } from 'vitest'
import type { ApiError, Plan } from '../../../mock-gateway/contract/wire.ts'
import { startGateway } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { MONTHLY, newPlan, newSubscription, refusalOf } from './new-subscription.ts'

const shop = await sharedGateway()

test('a plan is returned with every field, amounts with two decimals', async () => {
  const { status, body } = await shop.post<Plan>('/v1/plans', {
    ...MONTHLY,
    description: 'A box',
    periods: 12,
    trial_length: 14,
    'setup_fees[SEK]': '49.5',
  })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: body.id,
    created_at: '2026-03-14T12:00:00Z',
    updated_at: '2026-03-14T12:00:00Z',
    merchant_id: 1,
    name: 'Monthly',
    description: 'A box',
    interval: 1,
    interval_unit: 'months',
    periods: 12,
    prices: { sek: '99.00', eur: '9.90' },
    setup_fees: { sek: '49.50' },
    trial_length: 14,
    status: 'active',
  })
  expect((await shop.get(`/v1/plans/${body.id}`)).body).toEqual(body)
})

test('omitted values are empty or 0, never null', async () => {
  expect(await newPlan(shop)).toMatchObject({
    description: '',
    periods: 0,
    trial_length: 0,
    setup_fees: {},
  })
})

test('a JSON body makes the same plan', async () => {
  const body = JSON.stringify({ ...MONTHLY, prices: { SEK: 99, eur: '9.90' } })
  const json = { 'content-type': 'application/json' }
  expect((await shop.send<Plan>('POST', '/v1/plans', body, json)).body).toMatchObject({
    prices: { sek: '99.00', eur: '9.90' },
    interval: 1,
  })
})

describe('a plan is rejected', () => {
  for (const [over, error] of [
    [{ name: '' }, 'errors.name.missing'],
    [{ interval_unit: undefined }, 'errors.interval_unit.missing'],
    [{ interval_unit: 'years' }, 'errors.interval_unit.invalid'],
    [{ prices: undefined }, 'errors.prices.missing'],
    [{ prices: '{"sek":"-1.00"}' }, 'errors.prices.invalid'],
    [{ prices: '{"sek":' }, 'errors.json.malformed'],
    [{ setup_fees: '{"xyz":"1.00"}' }, 'errors.prices.invalid'],
    [{ interval: undefined }, 'errors.interval.missing'],
    [{ interval: 0 }, 'errors.interval.invalid'],
    [{ periods: 'many' }, 'errors.request.bad_format'],
    [{ trial_length: -1 }, 'errors.request.bad_format'],
  ] as const)
    test(`a plan with ${JSON.stringify(over)} gets ${error}, and is not created`, async () => {
      const answer = await shop.post<ApiError>('/v1/plans', {
        ...MONTHLY,
        name: 'Never made',
        ...over,
      })
      expect(refusalOf(answer)).toBe(error)
      expect(answer.headers.get('mondido-explain')).toMatch(/\w/)
      expect((await shop.get('/v1/plans', { 'filter[name]': 'Never made' })).body).toEqual([])
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

  test('a change can empty the description, and omitted values stay', async () => {
    const plan = await newPlan(shop, { description: 'A box' })
    expect((await shop.put<Plan>(`/v1/plans/${plan.id}`, { name: 'Box' })).body.description).toBe(
      'A box',
    )
    expect((await shop.put<Plan>(`/v1/plans/${plan.id}`, { description: '' })).body).toEqual({
      ...plan,
      name: 'Box',
      description: '',
    })
  })

  test('a change of prices does not affect existing subscriptions', async () => {
    const subscription = await newSubscription(shop)
    await shop.put(`/v1/plans/${subscription.plan.id}`, { prices: '{"sek":"199.00"}' })
    expect((await shop.get(`/v1/subscriptions/${subscription.id}`)).body).toEqual(subscription)
  })

  test('a rejected change changes nothing', async () => {
    const plan = await newPlan(shop)
    expect(refusalOf(await shop.put(`/v1/plans/${plan.id}`, { name: 'Other', interval: 0 }))).toBe(
      'errors.interval.invalid',
    )
    expect((await shop.get(`/v1/plans/${plan.id}`)).body).toEqual(plan)
  })

  test('a change of the status cancels or reactivates the plan, and unknown statuses are rejected', async () => {
    const { id } = await newPlan(shop)
    for (const status of ['cancelled', 'active'] as const)
      expect((await shop.put<Plan>(`/v1/plans/${id}`, { status })).body.status).toBe(status)
    expect((await shop.put<Plan>(`/v1/plans/${id}`, { status: 'CANCELLED' })).body.status).toBe(
      'cancelled',
    )
    expect(refusalOf(await shop.put(`/v1/plans/${id}`, { status: 'gone' }))).toBe(
      'errors.status.invalid',
    )
  })
})

test('a deleted plan is cancelled and still readable, and its subscriptions continue', async () => {
  const subscription = await newSubscription(shop)
  const plan = await shop.send<Plan>('DELETE', `/v1/plans/${subscription.plan.id}`)
  expect(plan.body).toMatchObject({ id: subscription.plan.id, status: 'cancelled' })
  expect((await shop.get(`/v1/plans/${subscription.plan.id}`)).body).toEqual(plan.body)
  expect((await shop.get(`/v1/subscriptions/${subscription.id}`)).body).toMatchObject({
    status: 'active',
  })
})

for (const [method, path] of [
  ['GET', '/v1/plans/987654321'],
  ['GET', '/v1/plans/gold'],
  ['PUT', '/v1/plans/987654321'],
  ['DELETE', '/v1/plans/987654321'],
] as const)
  test(`${method} ${path} finds no plan`, async () => {
    const { status, body } = await shop.send(method, path)
    expect({ status, code: body.code, name: body.name }).toEqual({
      status: 404,
      code: 135,
      name: 'errors.plan.not_found',
    })
  })

test('a client reads all plans page by page', async () => {
  const own = await startGateway()
  for (let count = 0; count < 5; count++) await newPlan(own, { name: `Plan ${count}` })
  const page = async (offset: number) =>
    await own.get<Plan[]>('/v1/plans', { limit: 2, offset, order_by: 'name:desc' })
  const pages = [await page(0), await page(2), await page(4), await page(6)]
  expect(pages.map(({ body }) => body.map(({ name }) => name))).toEqual([
    ['Plan 4', 'Plan 3'],
    ['Plan 2', 'Plan 1'],
    ['Plan 0'],
    [],
  ])
  expect(pages.map(({ headers }) => headers.get('content-range'))).toEqual([
    'items 1-2/5',
    'items 3-4/5',
    'items 5-5/5',
    'items 0-0/5',
  ])
  await own.close()
})

for (const [filter, value, found] of [
  ['name', 'Box*', ['Box days', 'Box months']],
  ['interval_unit', 'days', ['Box days']],
  ['interval', '2..', ['Box days']],
  ['periods', '3', ['Box months']],
  ['trial_length', '..0', ['Box days', 'Box months']],
  ['status', 'cancelled', ['Box days']],
  ['created_at', '20260314..', ['Box days', 'Box months']],
] as const)
  test(`plans are filtered by ${filter}=${value}`, async () => {
    const own = await startGateway()
    const { id } = await newPlan(own, { name: 'Box days', interval_unit: 'days', interval: 30 })
    await newPlan(own, { name: 'Box months', periods: 3 })
    await own.send('DELETE', `/v1/plans/${id}`)
    const { body } = await own.get<Plan[]>('/v1/plans', {
      [`filter[${filter}]`]: value,
      order_by: 'id',
    })
    expect(body.map(({ name }) => name)).toEqual(found)
    await own.close()
  })
