import { describe, expect, test } from 'vitest'
import type { ApiError, Plan } from '../../../mock-gateway/contract/wire.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { MONTHLY, newPlan, refusalOf } from './new-subscription.ts'

const shop = await sharedGateway()

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

  test('a rejected change changes nothing', async () => {
    const plan = await newPlan(shop)
    expect(refusalOf(await shop.put(`/v1/plans/${plan.id}`, { name: 'Other', interval: 0 }))).toBe(
      'errors.interval.invalid',
    )
    expect((await shop.get(`/v1/plans/${plan.id}`)).body).toEqual(plan)
  })
})
