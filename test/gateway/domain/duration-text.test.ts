import { expect, test } from 'vitest'
import { durationText } from '../../../mock-gateway/domain/duration-text.ts'

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [95_000, '1 min 35 s'],
  [7_200_000, '2 hours'],
  [90_000_000, '1 day 1 hour'],
  [86_400_000 * 31 + 1_000, '31 days'],
])('%d milliseconds are written as %s', (milliseconds, text) =>
  expect(durationText(milliseconds)).toBe(text),
)
