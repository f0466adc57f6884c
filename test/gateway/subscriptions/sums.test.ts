import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hundredths } from '../../../mock-gateway/domain/money/money.ts'
import {
  afterPaidCharge,
  afterRefusedCharge,
} from '../../../mock-gateway/domain/subscription/dunning.ts'
import { nextCharge } from '../../../mock-gateway/domain/subscription/subscription.ts'
import { MERCHANT, payment, startGateway, type TestGateway } from '../../helpers/gateway.ts'
import { type Extended, newCard, newPlan } from './new-subscription.ts'

/** Events of one month before its charge. */
interface Month {
  /** New debt in hundredths. Undefined: the debt does not change. */
  readonly debt: number | undefined
  readonly quantity: number | undefined
  /** True if charges of the card are approved from now on. Undefined: no change. */
  readonly pays: boolean | undefined
}

/** History of a subscription with periods of one month. Amounts are whole hundredths. */
interface History {
  readonly price: number
  readonly quantity: number
  readonly items: readonly number[]
  readonly setupFee: number
  /** Number of periods. 0: no end. */
  readonly periods: number
  readonly months: readonly Month[]
}

const money = (max: number) => fc.integer({ min: 1, max })
const sometimes = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const historyOf = (months: number) =>
  fc.record<History>({
    price: money(50_000),
    quantity: fc.integer({ min: 1, max: 9 }),
    items: fc.array(money(9_000), { maxLength: 3 }),
    setupFee: fc.integer({ min: 0, max: 20_000 }),
    periods: fc.constantFrom(0, 0, 3, 6),
    months: fc.array(
      fc.record<Month>({
        debt: sometimes(fc.integer({ min: -120_000, max: 60_000 })),
        quantity: sometimes(fc.integer({ min: 1, max: 9 })),
        pays: sometimes(fc.boolean()),
      }),
      { minLength: months, maxLength: months },
    ),
  })

/**
 * Calculates the charge of each month only from the rules. 0: nothing to charge; null: a failed
 * charge.
 */
function told({ price, quantity, items, periods, months }: History, paidAlready: number) {
  const charges: (number | null)[] = []
  const extra = items.reduce((sum, item) => sum + item, 0)
  let owed = 0
  let count = paidAlready
  let times = quantity
  let pays = true
  for (const month of months) {
    if (periods > 0 && count === periods) break
    owed = month.debt ?? owed
    times = month.quantity ?? times
    pays = month.pays ?? pays
    const bill = price * times + extra + owed
    if (bill > 0 && !pays) {
      charges.push(null)
      continue
    }
    charges.push(Math.max(bill, 0))
    owed = Math.min(bill, 0)
    count += 1
  }
  return { charges, count, owed }
}

test('in any history the charges are those of the paid periods, and charged plus owed amounts equal the order', () => {
  fc.assert(
    fc.property(historyOf(24), (history) => {
      const { price, periods, months } = history
      const items = history.items.map((item, n) => ({ artno: `i${n}`, amount: text(item), qty: 1 }))
      const begun = {
        interval: 1,
        interval_unit: 'months' as const,
        anchor_at: 0,
        total_periods: periods,
      }
      let row = {
        ...begun,
        period_count: 0,
        period_index: 0,
        attempts: 0,
        retry_count: 0,
        next_at: 0,
      }
      let [quantity, debt, pays, status] = [history.quantity, 0, true, 'active']
      let [charged, ordered, debts] = [0, 0, 0]
      const made: (number | null)[] = []
      for (const month of months) {
        if (status === 'cancelled') break
        quantity = month.quantity ?? quantity
        debts += (month.debt ?? debt) - debt
        debt = month.debt ?? debt
        pays = month.pays ?? pays
        const amount = nextCharge({
          price: hundredths(price),
          quantity,
          items: items as never,
          debt: hundredths(debt),
        })
        const isPaid = amount <= 0 || pays
        const after = isPaid
          ? afterPaidCharge(row, amount)
          : afterRefusedCharge(row, row.next_at, { dunning: [], dunning_end: 'keep' })
        made.push(isPaid ? Math.max(amount, 0) : null)
        if (isPaid) {
          charged += Math.max(amount, 0)
          ordered += price * quantity + history.items.reduce((sum, item) => sum + item, 0)
        }
        debt = after.debt ?? debt
        status = after.status ?? status
        row = { ...row, ...after }
      }
      expect(made).toEqual(told(history, 0).charges)
      // Each ordered or owed amount is either charged or still owed, so no money appears or
      // disappears.
      expect(charged + debt).toBe(ordered + debts)
    }),
    { numRuns: 1_000 },
  )
})

const text = (amount: number) => (amount / 100).toFixed(2)

describe('in a gateway', () => {
  let shop: TestGateway
  beforeAll(async () => {
    // Declined periods are not retried, so there is one charge a month.
    shop = await startGateway({ merchants: [{ ...MERCHANT, settings: { dunning: [] } }] })
  })
  afterAll(() => shop.close())

  const MONTHS = 8
  const SUBSCRIPTIONS = Number(process.env.TEST_HISTORIES ?? 6)

  test(`${SUBSCRIPTIONS} random histories are charged by the rules, setup fee and first period included`, async () => {
    const histories = fc.sample(historyOf(MONTHS), SUBSCRIPTIONS)
    const cards = {
      good: (await newCard(shop, { card_expiry: '1235' })).id,
      bad: (await newCard(shop, { card_expiry: '0137' })).id,
    }
    const ids: number[] = []
    for (const { price, quantity, items, setupFee, periods } of histories) {
      const { id: plan_id } = await newPlan(shop, {
        prices: JSON.stringify({ sek: text(price) }),
        setup_fees: JSON.stringify({ sek: text(setupFee) }),
        periods,
      })
      const extra = items.map((item, n) => ({
        artno: `i${n}`,
        description: 'Extra',
        amount: text(item),
        qty: 1,
        vat: '25',
      }))
      const amount = text(price * quantity + items.reduce((sum, item) => sum + item, 0) + setupFee)
      const order = {
        plan_id,
        amount,
        subscription_quantity: quantity,
        subscription_items: JSON.stringify(extra),
      }
      const { body } = await shop.post(
        '/v1/transactions',
        payment({ ...order, card_expiry: '1235' }),
      )
      ids.push(body.subscription?.id ?? 0)
    }
    for (let month = 0; month < MONTHS; month++) {
      for (const [index, { months }] of histories.entries()) {
        const { debt, quantity, pays } = months[month] ?? {}
        const changes = {
          ...(debt === undefined ? {} : { debt: text(debt) }),
          ...(quantity === undefined ? {} : { quantity }),
          ...(pays === undefined ? {} : { stored_card_id: pays ? cards.good : cards.bad }),
        }
        // A subscription that has ended accepts no changes.
        await shop.put(`/v1/subscriptions/${ids[index]}`, changes)
      }
      await shop.gateway.clock.advance({ months: 1 })
    }
    for (const [index, history] of histories.entries()) {
      const id = ids[index]
      const { body: list } = await shop.get<Extended[]>(`/v1/subscription/${id}/transactions`, {
        order_by: 'id:asc',
      })
      const { charges, count, owed } = told(history, 1)
      expect(
        list.slice(1).map(({ status, amount }) => (status === 'approved' ? amount : null)),
      ).toEqual(
        charges
          .filter((charge) => charge !== 0)
          .map((charge) => (charge === null ? null : text(charge))),
      )
      const { body: subscription } = await shop.get(`/v1/subscriptions/${id}`)
      expect(subscription).toMatchObject({ period_count: count, debt: text(owed) })
    }
  })
})
