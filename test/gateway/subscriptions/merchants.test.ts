import { beforeAll, describe, expect, test } from 'vitest'
import type { ApiError, Subscription } from '../../../mock-gateway/contract/wire.ts'
import { type Client, MERCHANT, payment } from '../../helpers/gateway.ts'
import { sharedGateway } from '../../helpers/shared-gateway.ts'
import { newCard, newPlan, newSubscription, refusalOf } from './new-subscription.ts'

const RIVAL = {
  id: 2,
  password: 'another password',
  secret: 'another secret',
  private_key: MERCHANT.private_key ?? '',
}

let rival: Client
let theirs: Subscription
const shop = await sharedGateway({ merchants: [MERCHANT, RIVAL] })
beforeAll(async () => {
  rival = shop.as(RIVAL)
  theirs = await newSubscription(shop)
})

describe('an object of another merchant', () => {
  for (const method of ['GET', 'PUT', 'DELETE']) {
    test(`is unknown as a plan for ${method}`, async () => {
      expect(refusalOf(await rival.send(method, `/v1/plans/${theirs.plan.id}?name=Mine`))).toBe(
        'errors.plan.not_found',
      )
    })
    test(`is unknown as a subscription for ${method}`, async () => {
      expect(refusalOf(await rival.send(method, `/v1/subscriptions/${theirs.id}?quantity=9`))).toBe(
        'errors.subscription.not_found',
      )
    })
  }

  for (const [path, error] of [
    ['/v1/subscription/ID/transactions', 'errors.subscription.not_found'],
    ['/v1/customers/CUSTOMER/subscriptions', 'errors.customer.not_found'],
  ] as const)
    test(`is unknown at ${path}`, async () => {
      const address = path
        .replace('ID', String(theirs.id))
        .replace('CUSTOMER', String(theirs.customer?.id))
      expect(refusalOf(await rival.get(address))).toBe(error)
    })

  for (const path of ['/v1/plans', '/v1/subscriptions'])
    test(`is missing in ${path} and in its count`, async () => {
      const { body, headers } = await rival.get(path)
      expect(body).toEqual([])
      expect(headers.get('content-range')).toBe('items 0-0/0')
    })

  test('cannot be paid for', async () => {
    const order = payment({ plan_id: theirs.plan.id })
    expect(refusalOf(await rival.post('/v1/transactions', order))).toBe('errors.plan.not_found')
  })

  test('cannot be subscribed to, charged or named', async () => {
    const mine = { plan_id: (await newPlan(rival)).id, stored_card_id: (await newCard(rival)).id }
    const stored_card_id = theirs.stored_card?.id
    const customer_id = theirs.customer?.id
    for (const [over, error] of [
      [{ plan_id: theirs.plan.id }, 'errors.plan.not_found'],
      [{ stored_card_id }, 'errors.stored_card.not_found'],
      [{ stored_card_id: undefined, customer_id }, 'errors.customer.not_found'],
    ] as const)
      expect(refusalOf(await rival.post<ApiError>('/v1/subscriptions', { ...mine, ...over }))).toBe(
        error,
      )
  })

  test('cannot become the plan of the merchant’s own subscription', async () => {
    const { id } = await newSubscription(rival)
    expect(refusalOf(await rival.put(`/v1/subscriptions/${id}`, { plan_id: theirs.plan.id }))).toBe(
      'errors.plan.not_found',
    )
  })

  test('cannot become the card of the merchant’s own subscription', async () => {
    const { id } = await newSubscription(rival)
    expect(
      refusalOf(
        await rival.put(`/v1/subscriptions/${id}`, { stored_card_id: theirs.stored_card?.id }),
      ),
    ).toBe('errors.stored_card.not_found')
  })

  test('is unchanged by all of this', async () => {
    expect((await shop.get(`/v1/subscriptions/${theirs.id}`)).body).toEqual(theirs)
    expect((await shop.get(`/v1/plans/${theirs.plan.id}`)).body).toMatchObject({
      name: 'Monthly',
      status: 'active',
    })
  })
})
