import { expect, test } from 'vitest'
import { read } from '../../helpers/documents.ts'

// The difference in time is too small to measure on a test machine, so the source is checked.
test.each([
  ['mock-gateway/domain/order/hash.ts', 'sameText(sent, md5('],
  ['mock-gateway/merchants/password.ts', 'timingSafeEqual(derived, expected)'],
])('secrets are compared in constant time: %s', (file, comparison) => {
  expect(read(file)).toContain(comparison)
  expect(read(file)).toMatch(/&& timingSafeEqual\(/)
})
