import { expect, test } from 'vitest'
import { countMostFulfilled } from '../../../mock-gateway/check/order-view.ts'
import { toOrderView } from '../../../mock-gateway/check/plan-schema.ts'

const shown = { status: 'paid', key: 'a=b', mails: 1 }

test.each([
  ["status = 'paid'", true],
  ["status = 'new'", false],
  ["key = 'a=b'", true],
])('the condition %s is %s', (paid, expected) => {
  expect(toOrderView(shown, { paid }).paid).toBe(expected)
})

test('an order without parts is not fulfilled', () => {
  expect(countMostFulfilled(toOrderView(shown, { fulfilled: {} }))).toBe(0)
})
