import { describe, expect, test } from 'vitest'
import type { Subscription } from '../../../mock-gateway/contract/wire.ts'
import { CARD, prepared } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { DATABASES, sharedPlace } from '../storage/databases.ts'
import { newPlan } from '../subscriptions/new-subscription.ts'
import { times } from './at-once.ts'

describe.each(DATABASES)('%s', async (_name, open) => {
  const shop = await sharedGateway({ database: await sharedPlace(open) })

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
})
