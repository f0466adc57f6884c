import { expect, test } from 'vitest'
import { TEXTS } from '../../../../mock-gateway/web/hosted/texts.ts'

test.each([
  [2, 'varannan månad', 'every 2 months'],
  [3, 'var 3:e månad', 'every 3 months'],
  [11, 'var 11:e månad', 'every 11 months'],
  [12, 'var 12:e månad', 'every 12 months'],
  [21, 'var 21:a månad', 'every 21 months'],
  [32, 'var 32:a månad', 'every 32 months'],
])('an interval of %i months reads "%s" in Swedish and "%s" in English', (count, sv, en) => {
  expect(TEXTS.sv.intervals.months.many(count)).toBe(sv)
  expect(TEXTS.en.intervals.months.many(count)).toBe(en)
})
