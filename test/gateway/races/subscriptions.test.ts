import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import { CARD, payment, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { newPlan, newSubscription } from '../subscriptions/new-subscription.ts'
import { times } from './at-once.ts'

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

  const read = async (id: number) => (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body

  test('50 parallel cancellations all succeed', async () => {
    const { id } = await newSubscription(shop)
    const cancel = () => shop.put<Subscription>(`/v1/subscriptions/${id}`, { status: 'cancelled' })
    const answers = await times(50, cancel)
    expect(new Set(answers.map(({ body }) => body.status))).toEqual(new Set(['cancelled']))
  })

  test('50 parallel changes of metadata are all stored', async () => {
    const { id } = await newSubscription(shop)
    await times(50, (index) =>
      shop.put(`/v1/subscriptions/${id}`, { [`metadata[key${index}]`]: index }),
    )
    expect(Object.keys((await read(id)).metadata ?? {})).toHaveLength(50)
  })

  test('a cancelled subscription does not change', async () => {
    const { id } = await newSubscription(shop)
    const [cancelled] = await Promise.all([
      shop.put<Subscription>(`/v1/subscriptions/${id}`, { status: 'cancelled' }),
      ...Array.from({ length: 20 }, (_, index) =>
        shop.put(`/v1/subscriptions/${id}`, { quantity: index + 2 }),
      ),
    ])
    expect(await read(id)).toEqual(cancelled?.body)
  })

  test('one of 20 parallel payments of one order starts the subscription', async () => {
    const { id: plan_id } = await newPlan(shop)
    const { id } = (await shop.post('/v1/transactions', prepared({ plan_id }))).body
    const answers = await times(20, () => shop.put(`/v1/transactions/${id}`, CARD))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    const { body } = await shop.get<Subscription[]>('/v1/subscriptions', {
      'filter[plan_id]': plan_id,
    })
    expect(body).toHaveLength(1)
  })

  test('40 parallel payers each get their own subscription', async () => {
    const { id: plan_id } = await newPlan(shop)
    const paid = await times(40, (index) =>
      shop.post(
        '/v1/transactions',
        payment({ plan_id, customer_ref: index % 2 ? `payer ${index % 5}` : undefined }),
      ),
    )
    const ids = paid.map(({ body }) => body.subscription?.id)
    expect(new Set(ids).size).toBe(40)
    const list = await shop.get('/v1/subscriptions', { 'filter[plan_id]': plan_id, limit: 1 })
    expect(list.headers.get('content-range')).toBe('items 1-1/40')
  })
})
