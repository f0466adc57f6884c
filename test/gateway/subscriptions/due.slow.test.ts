import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Subscription, Transaction } from '../../../mock-gateway/contract/wire.ts'
import { START, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { memoryPlace, onSlowDatabases, type Place } from '../storage/databases.ts'
import { newCard, newSubscription } from './new-subscription.ts'

const DAY = 86_400_000

describe('SQLite in memory', () => define(memoryPlace))
onSlowDatabases(define)

function define(open: () => Promise<Place>) {
  let place: Place
  let shop: TestGateway
  beforeEach(async () => {
    place = await open()
    shop = await startGateway({ database: place.target })
  })
  afterEach(async () => {
    await shop.close()
    await place.remove()
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

  describe('the dates of charges follow trial, start date and number of periods', () => {
    const all = [0, 14].flatMap((trial_length) =>
      [undefined, '2026-05-01'].flatMap((start_date) =>
        [0, 2].map((periods) => [trial_length, start_date, periods] as const),
      ),
    )
    test.each(all)(
      'for a trial of %i days, the start date %s and %i periods',
      async (trial_length, start_date, periods) => {
        const { id } = await newSubscription(shop, { start_date }, { trial_length, periods })
        await shop.gateway.clock.advance({ months: 12 })
        const first = (start_date ? Date.UTC(2026, 4, 1) : START) + trial_length * DAY
        const until = Date.UTC(2027, 2, 14, 12)
        const dates: number[] = []
        for (let month = 0; dates.length < (periods || 99); month++) {
          const from = new Date(first)
          const at = Date.UTC(
            from.getUTCFullYear(),
            from.getUTCMonth() + month,
            from.getUTCDate(),
            from.getUTCHours(),
          )
          if (at > until) break
          dates.push(at)
        }
        expect((await chargesOf(id)).map(({ created_at }) => Date.parse(created_at))).toEqual(dates)
        const { status, period_count } = await subscriptionNow(id)
        expect({ status, period_count }).toEqual({
          status: periods ? 'cancelled' : 'active',
          period_count: dates.length,
        })
      },
    )
  })
}
