import { expect, test } from 'vitest'
import { pageLanguage } from '../../../../mock-gateway/domain/language/page-language.ts'

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
  expect(pageLanguage(wishes)).toBe(language)
})

test('without a preference, a page has the language that was chosen before', () => {
  expect(pageLanguage({ merchant: 'fi' }, 'en')).toBe('en')
})
