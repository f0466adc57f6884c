import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import {
  findPastMatches,
  type PastPayment,
} from '../../../../mock-gateway/domain/rules/past-payments.ts'
import { rule } from '../../../../mock-gateway/domain/rules/rule-schema.ts'

const HOUR = 3_600_000

/** Returns a payment of Anna with the card that both customers use. */
const paid = (hour: number, over: Partial<PastPayment> = {}): PastPayment => ({
  amount: hundredths(1000),
  currency: 'sek',
  cardType: 'visa',
  country: undefined,
  customerRef: 'anna',
  cardNumber: '411111******1111',
  createdAt: hour * HOUR,
  ...over,
})

/** Returns the hours of the payments that a rule matches, newest first. */
function matched(when: object, payments: readonly PastPayment[]): readonly number[] {
  const written = rule.parse({ name: 'often', when, action: 'decline' })
  const newestFirst = payments.toSorted((one, other) => other.createdAt - one.createdAt)
  return findPastMatches(written, newestFirst).map(({ createdAt }) => createdAt / HOUR)
}

const often = (of: PropertyKey, more_than = 1) => ({ payments: { of, more_than, hours: 24 } })

test('a rule without a count matches every past payment that fits, newest first', () =>
  expect(matched({ currency: ['sek'] }, [paid(1), paid(2, { currency: 'eur' }), paid(3)])).toEqual([
    3, 1,
  ]))

test('earlier payments count, but the payment itself does not', () =>
  expect(matched(often('customer_ref'), [paid(1), paid(2), paid(3), paid(4)])).toEqual([4, 3]))

test('payments from 24 hours ago do not count', () =>
  expect(matched(often('customer_ref', 0), [paid(0), paid(24), paid(47)])).toEqual([47]))

test('payments of another customer do not count, also with the same card', () => {
  const payments = [paid(1), paid(2, { customerRef: 'bo' }), paid(3)]
  expect(matched(often('customer_ref'), payments)).toEqual([])
  expect(matched(often('card_number'), payments)).toEqual([3])
})

test('payments without a customer are not counted together', () => {
  const payments = [1, 2, 3].map((hour) => paid(hour, { customerRef: undefined }))
  expect(matched(often('customer_ref'), payments)).toEqual([])
})
