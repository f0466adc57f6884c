import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subscription, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { newCard, newPlan, newSubscription } from './new-subscription.ts'

const TODAY = '2026-03-14'
const FEE = { trial_length: 0, setup_fees: '{"sek":"49.00"}' }

let shop: TestGateway
beforeEach(async () => {
  shop = await startGateway()
})
afterEach(() => shop.close())

const read = async (id: number) => (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body
const paid = async (id: number) => {
  const { body } = await shop.get<Transaction[]>(`/v1/subscriptions/${id}/transactions`, {
    order_by: 'id:asc',
  })
  return body.map(
    ({ status, amount, created_at }) => `${created_at.slice(0, 10)} ${status} ${amount}`,
  )
}
/** Starts a subscription with a payment. */
const subscribe = async (amount: string, plan: object, over = {}) => {
  const { id: plan_id } = await newPlan(shop, { ...plan })
  const { body } = await shop.post<Transaction>(
    '/v1/transactions',
    payment({ plan_id, amount, ...over }),
  )
  return body.subscription?.id ?? 0
}

test('the answer to a subscription that starts immediately has its first charge, like a later GET', async () => {
  const made = await newSubscription(shop, {}, { trial_length: 0 })
  expect(await paid(made.id)).toEqual([`${TODAY} approved 99.00`])
  expect(made).toMatchObject({ period_count: 1, next_at: '2026-04-14T12:00:00Z' })
  expect(await read(made.id)).toEqual(made)
  expect((await shop.gateway.clock.advance({ days: 1 })).happened).toEqual([])
  expect(await read(made.id)).toEqual(made)
})

test('if its first charge is declined, the answer shows it and the charge is retried', async () => {
  const { id: stored_card_id } = await newCard(shop, { card_expiry: '0137' })
  const made = await newSubscription(shop, { stored_card_id }, { trial_length: 0 })
  expect(made).toMatchObject({ period_count: 0, retry_count: 1, next_at: '2026-03-15T12:00:00Z' })
  expect(await read(made.id)).toEqual(made)
})

describe('setup fees are charged once', () => {
  test('the charge after a trial contains the fees, which are owed until then', async () => {
    const made = await newSubscription(shop, {}, { ...FEE, trial_length: 14 })
    expect(made.debt).toBe('49.00')
    expect(await read(made.id)).toEqual(made)
    await shop.gateway.clock.advance({ months: 2 })
    expect(await paid(made.id)).toEqual(['2026-03-28 approved 148.00', '2026-04-28 approved 99.00'])
  })

  test('the payment that starts the subscription contains the fees, with an amount that the shop has calculated', async () => {
    const id = await subscribe('148.00', FEE)
    await shop.gateway.clock.advance({ months: 1 })
    expect(await paid(id)).toEqual([`${TODAY} approved 148.00`, '2026-04-14 approved 99.00'])
  })

  test('the first charge contains the fees after a payment of zero', async () => {
    const id = await subscribe('0.00', { ...FEE, trial_length: 14 })
    await shop.gateway.clock.advance({ months: 2 })
    expect(await paid(id)).toEqual([
      `${TODAY} approved 0.00`,
      '2026-03-28 approved 148.00',
      '2026-04-28 approved 99.00',
    ])
  })
})
