import { expect, test } from 'vitest'
import { hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { leftToRefund } from '../../../../mock-gateway/domain/order/left-to-refund.ts'

test.each([
  ['all of a payment that has given nothing back', 1000, [], 1000],
  ['the rest after its refunds', 1000, [300, 200], 500],
  ['nothing of one that has given all back', 1000, [400, 600], 0],
  ['nothing of one that took nothing', null, [], 0],
])('the amount that can still be refunded: %s', (_what, paid, given, left) =>
  expect(leftToRefund(paid === null ? null : hundredths(paid), given.map(hundredths))).toBe(left),
)
