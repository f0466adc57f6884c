import { beforeEach, expect, test } from 'vitest'
import type { Subscription, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { START, type TestGateway } from '../../helpers/gateway.ts'
import { openGateway } from '../../helpers/shared-gateway.ts'
import { onSlowDatabases, openTestPlace, type Place } from '../storage/databases.ts'
import { newCard, newSubscription } from './new-subscription.ts'

const DAY = 86_400_000
onSlowDatabases(define)

function define(open: () => Promise<Place>) {
  let shop: TestGateway
  beforeEach(async () => {
    shop = await openGateway({ database: await openTestPlace(open) })
  })

  /** Creates a subscription on a card that is valid for years. */
  async function newLasting() {
    const { id: stored_card_id } = await newCard(shop, { card_expiry: '1235' })
    return newSubscription(shop, { stored_card_id })
  }
  const subscriptionNow = async (id: number) =>
    (await shop.get<Subscription>(`/v1/subscriptions/${id}`)).body
  const chargesOf = async (id: number) =>
    (
      await shop.get<Transaction[]>(`/v1/subscription/${id}/transactions`, {
        limit: 100,
        order_by: 'id:asc',
      })
    ).body

  test('a charge is made automatically when it falls due', async () => {
    const { id } = await newSubscription(shop)
    shop.clock.advance(DAY)
    await expect.poll(() => chargesOf(id)).toHaveLength(1)
  })

  test('sixty months pass, and sixty charges are made in order, each on its date', async () => {
    const { id } = await newLasting()
    const { happened, quiet } = await shop.gateway.clock.advance({ months: 60 })
    expect(quiet).toBe(true)
    const charges = happened.filter(({ kind }) => kind === 'charge')
    expect(charges).toHaveLength(60)
    expect(charges[0]).toMatchObject({
      at: START + DAY,
      what: 'approved 99.00 sek',
      facts: { status: 'approved' },
    })
    expect(charges.map(({ at }) => at)).toEqual(
      charges.map((_, month) => Date.UTC(2026, 2 + month, 15, 12)),
    )
    const listed = await chargesOf(id)
    expect(listed.map(({ created_at }) => Date.parse(created_at))).toEqual(
      charges.map(({ at }) => at),
    )
    expect(listed[7]).toMatchObject({
      status: 'approved',
      amount: '99.00',
      transaction_type: 'recurring',
      payment_method: 'recurring',
      subscription: { id },
    })
    expect(await subscriptionNow(id)).toMatchObject({
      period_count: 60,
      retry_count: 0,
      next_at: '2031-03-15T12:00:00Z',
    })
  })
}
