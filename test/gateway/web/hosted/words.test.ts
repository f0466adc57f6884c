import { globSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findEntryByName } from '../../../../mock-gateway/domain/errors/errors.ts'
import { formatDate, formatTime } from '../../../../mock-gateway/domain/language/languages.ts'
import { formatMoney, hundredths } from '../../../../mock-gateway/domain/money/money.ts'
import { PAGE_METHODS } from '../../../../mock-gateway/domain/order/payment-methods.ts'
import { listSharedData } from '../../../../mock-gateway/web/hosted/payment-form.ts'
import { TEXTS } from '../../../../mock-gateway/web/hosted/texts.ts'
import { inRepository } from '../../../helpers/documents.ts'

const keysOf = (words: object): string[] =>
  Object.entries(words).flatMap(([key, value]) =>
    typeof value === 'string' ? [key] : [key, ...keysOf(value)],
  )

const textsOf = (words: object): string[] =>
  Object.values(words).flatMap((value) => (typeof value === 'string' ? [value] : textsOf(value)))

describe('the texts of the pages', () => {
  test('exist in every language, and none is empty', () => {
    expect(keysOf(TEXTS.en)).toEqual(keysOf(TEXTS.sv))
    for (const words of Object.values(TEXTS))
      for (const text of textsOf(words)) expect(text).toMatch(/\S/)
  })

  test('are all used by a page', () => {
    const files = globSync('mock-gateway/web/hosted/**/*.ts', { cwd: inRepository('.') })
    const source = files
      .filter((path) => !/texts/.test(path))
      .map((path) => readFileSync(inRepository(path), 'utf8'))
    const said = new Set(source.join('\n').match(/\w+/g))
    expect(Object.keys(TEXTS.sv).filter((key) => !said.has(key))).toEqual([])
  })

  test('texts for errors belong to existing errors', () => {
    for (const name of Object.keys(TEXTS.en.errors)) expect(findEntryByName(name)?.name).toBe(name)
  })
})

test.each([
  ['sek', 'sv', '1\u00a0246,50\u00a0kr'],
  ['sek', 'en', '1,246.50\u00a0SEK'],
  ['eur', 'sv', '1\u00a0246,50\u00a0€'],
  ['eur', 'en', '€1,246.50'],
  ['usd', 'en', 'US$1,246.50'],
  ['gbp', 'sv', '1\u00a0246,50\u00a0GBP'],
  // Amounts have at most two decimals, also if the currency has three.
  ['kwd', 'en', '1,246.50\u00a0KWD'],
  ['lvl', 'en', '1,246.50\u00a0LVL'],
  ['vef', 'sv', '1\u00a0246,50\u00a0VEF'],
] as const)('the amount of 1246.50 %s in %s is %s', (currency, locale, text) => {
  expect(formatMoney(hundredths(124_650), currency, locale)).toBe(text)
})

test.each([
  ['sv', '4 maj 2026', '4 maj 2026 07:05 UTC'],
  ['en', '4 May 2026', '4 May 2026, 07:05 UTC'],
] as const)('the time of a morning in May in %s is %s, with its time %s', (locale, date, time) => {
  const at = Date.UTC(2026, 4, 4, 7, 5)
  expect(formatDate(at, locale)).toBe(date)
  expect(formatTime(at, locale)).toBe(time)
})

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

const NOTHING_ASKED = { payer_details: [] }
test.each(PAGE_METHODS)(
  'for %s the page tells the payer which data of the payment and the browser the shop gets',
  (method) => {
    const [ofMethod] = listSharedData(TEXTS.en, method, NOTHING_ASKED)
    expect(ofMethod).toBe(TEXTS.en.methods[method].follows)
    expect(listSharedData(TEXTS.sv, method, NOTHING_ASKED).at(-1)).toBe(
      'Din webbläsare och IP-adress',
    )
  },
)

test('the page lists the fields that the payer fills in by their labels', () => {
  const said = (method: 'swish' | 'invoice') =>
    listSharedData(TEXTS.en, method, { payer_details: ['email', 'zip'] })[1]
  expect(said('swish')).toBe('What you fill in here: E-mail, Postcode')
  expect(said('invoice')).toBe('What you fill in here: E-mail, Phone')
})
