import { describe, expect, test } from 'vitest'
import { hasControlCharacters, isLongerThan } from '../../../mock-gateway/domain/characters.ts'
import { formatDuration } from '../../../mock-gateway/domain/duration-text.ts'
import { indentJson } from '../../../mock-gateway/domain/json.ts'
import { choosePageLanguage } from '../../../mock-gateway/domain/language/languages.ts'
import { suggestAddress } from '../../../mock-gateway/domain/payer/email-typos.ts'

describe('a text of at most three characters', () => {
  for (const text of ['', 'abc', 'åäö', '李小龍', '😀😀😀', '😀a😀'])
    test(`may be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(false))

  for (const text of ['abcd', '😀😀😀a', '😀😀😀😀'])
    test(`may not be ${JSON.stringify(text)}`, () => expect(isLongerThan(text, 3)).toBe(true))
})

describe('a control character is found', () => {
  for (const character of [
    '\0',
    '\t',
    '\n',
    '\x7f',
    '\u0085',
    '\u2028',
    '\u2029',
    '\u202a',
    '\u202e',
    '\u2066',
    '\u2069',
  ])
    test(`in ${JSON.stringify(`a${character}b`)}`, () =>
      expect(hasControlCharacters(`a${character}b`)).toBe(true))

  for (const text of ['', 'plain text', 'å ä ö', '李小龍', 'a\u200db', '👍'])
    test(`but not in ${JSON.stringify(text)}`, () => expect(hasControlCharacters(text)).toBe(false))
})

test.each([
  [0, '0 ms'],
  [999, '999 ms'],
  [1_000, '1 s'],
  [95_000, '1 min 35 s'],
  [7_200_000, '2 hours'],
  [90_000_000, '1 day 1 hour'],
  [86_400_000 * 31 + 1_000, '31 days'],
])('%d milliseconds are written as %s', (milliseconds, text) =>
  expect(formatDuration(milliseconds)).toBe(text),
)

test.each([
  [
    'an object keeps its digits',
    '{"a":1.50,"b":[12345678901234567890]}',
    '{\n  "a": 1.50,\n  "b": [\n    12345678901234567890\n  ]\n}',
  ],
  ['another text is unchanged', 'a=1&b=2', 'a=1&b=2'],
  ['cut JSON is unchanged', '{"a":1', '{"a":1'],
  ['a page is unchanged', '<html>', '<html>'],
])('indented JSON: %s', (_, text, indented) => {
  expect(indentJson(text)).toBe(indented)
})

test.each([
  ['sv', 'when nobody wishes anything', {}],
  ['en', 'by locale', { locale: 'en' }],
  ['en', 'by locale in capitals', { locale: 'EN' }],
  ['en', 'by lang', { lang: 'en' }],
  ['en', 'by locale before lang', { locale: 'en', lang: 'sv' }],
  ['en', 'by lang where locale is none of ours', { locale: 'fi', lang: 'en' }],
  ['en', 'by lang where locale is no text', { locale: ['sv'], lang: 'en' }],
  ['sv', 'by lang before the merchant', { lang: 'sv', merchant: 'en' }],
  ['en', 'by the merchant before the browser', { merchant: 'en', acceptLanguage: 'sv' }],
  [
    'en',
    'by the browser where the merchant wants none of ours',
    { merchant: 'de', acceptLanguage: 'en' },
  ],
  ['en', 'by the browser', { acceptLanguage: 'en-GB,en;q=0.8' }],
  ['sv', 'by a browser that prefers Swedish', { acceptLanguage: 'sv-SE,en;q=0.5' }],
  ['en', 'by weight, not by place', { acceptLanguage: 'sv;q=0.3, fi, en;q=0.7' }],
  ['sv', 'by place where weights are the same', { acceptLanguage: 'sv, en' }],
  ['sv', 'where the browser refuses English', { acceptLanguage: 'en;q=0' }],
  ['sv', 'where the browser takes any', { acceptLanguage: '*' }],
  ['sv', 'where the browser wants none of ours', { acceptLanguage: 'fi, enm' }],
  ['sv', 'where the weight is none', { acceptLanguage: 'en;q=much' }],
] as const)('a page is in %s %s', (language, _why, wishes) => {
  expect(choosePageLanguage(wishes)).toBe(language)
})

test('without a preference, a page has the language that was chosen before', () => {
  expect(choosePageLanguage({ merchant: 'fi' }, 'en')).toBe('en')
})

test.each([
  ['anna@gmial.com', 'anna@gmail.com'],
  ['anna@gmai.com', 'anna@gmail.com'],
  ['anna@gmaill.com', 'anna@gmail.com'],
  ['anna@gmail.con', 'anna@gmail.com'],
  ['anna@gmail.co', 'anna@gmail.com'],
  ['anna@hotmal.se', 'anna@hotmail.se'],
  ['anna@outlok.com', 'anna@outlook.com'],
  ['anna@icoud.com', 'anna@icloud.com'],
  ['anna@yhaoo.com', 'anna@yahoo.com'],
  ['anna@shop.example.con', 'anna@shop.example.com'],
  ['anna@shop.ney', 'anna@shop.net'],
  ['anna@gmail.com.', 'anna@gmail.com'],
  [' Anna.B+x@GMIAL.com ', 'Anna.B+x@gmail.com'],
])('%s was probably meant as %s', (typed, meant) => {
  expect(suggestAddress(typed)).toBe(meant)
})

test.each([
  'anna@gmail.com',
  'anna@GMAIL.com',
  'anna@ymail.com',
  'anna@mail.com',
  'anna@hotmail.se',
  'anna@live.no',
  'anna@hotmail.nl',
  'anna@outlook.de',
  'anna@yahoo.es',
  'anna@example.com',
  'anna@kth.se',
  'anna@shop.example.cm',
  'anna@commune.fr',
  'anna@gmial',
  'gmial.com',
  'a b@gmial.com',
  '',
])('%s is accepted, or is not an address', (typed) => {
  expect(suggestAddress(typed)).toBeUndefined()
})
