import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../../mock-gateway/domain/language/languages.ts'
import { getFieldValue, takeSnapshot } from '../../../sdk/form/snapshot.ts'
import { createDefaults, resolveSettings } from '../../../sdk/settings/options.ts'
import type { MondidoOptions } from '../../../sdk/types.ts'
import { MESSAGES } from '../../../sdk/ui/messages.ts'
import { getLocale, getTextIn } from '../../../sdk/ui/texts.ts'

afterEach(() => {
  document.documentElement.lang = ''
})

test('the library has every language of the gateway', () =>
  expect(Object.keys(MESSAGES)).toEqual(Object.keys(LANGUAGES)))

test('Swedish and English have the same texts, none empty, none left untranslated', () => {
  expect(Object.keys(MESSAGES.sv)).toEqual(Object.keys(MESSAGES.en))
  for (const [key, text] of Object.entries(MESSAGES.en)) {
    expect(text.trim()).toBe(text)
    expect([text === '', Object(MESSAGES.sv)[key] === text]).toEqual([false, false])
  }
})

function page(html: string, options: MondidoOptions = {}, lang = '') {
  document.documentElement.lang = lang
  document.body.innerHTML = `<form>${html}</form>`
  const form = document.querySelector('form') as HTMLFormElement
  const settings = resolveSettings(form, options, createDefaults())
  return { settings, locale: getFieldValue(takeSnapshot(form, settings), 'locale') }
}

test.for<[string, string, MondidoOptions, string, 'sv' | 'en']>([
  ['the option', '<input name="locale" value="en">', { locale: 'sv' }, 'en', 'sv'],
  ['the locale field', '<input name="locale" value="sv">', {}, 'en', 'sv'],
  ['the page', '<input name="locale" value="">', {}, 'sv-SE', 'sv'],
  [
    'English, in capitals and with a country',
    '<input name="locale" value="EN_us">',
    {},
    'sv',
    'en',
  ],
  [
    'the page, not a word that begins alike',
    '<input name="locale" value="svenska">',
    {},
    'en',
    'en',
  ],
  ['English for other languages', '', {}, 'fi', 'en'],
  ['English by default', '', {}, '', 'en'],
])('the language comes from %s', ([, html, options, lang, locale]) => {
  const { settings, locale: field } = page(html, options, lang)
  expect(getLocale(settings, field)).toBe(locale)
})

test('the page’s own texts take precedence', () => {
  const { settings } = page('', { messages: { paid: 'Thanks!' } })
  expect(getTextIn('sv', settings, 'paid')).toBe('Thanks!')
  expect(getTextIn('sv', settings, 'paying')).toBe(MESSAGES.sv.paying)
})

describe('a language that is added', () => {
  /** Texts of an invented language: the English texts between quotation marks. */
  const quack = Object.fromEntries(
    Object.entries(MESSAGES.en).map(([key, text]) => [key, `«${text}»`]),
  )

  beforeEach(() => {
    Object.assign(MESSAGES, { qq: quack })
  })
  afterEach(() => {
    Reflect.deleteProperty(MESSAGES, 'qq')
    document.documentElement.lang = ''
  })

  test.for([
    ['an attribute', 'qq', '', undefined],
    ['the field', undefined, '', 'qq-QQ'],
    ['the page', undefined, 'QQ', undefined],
  ] as const)(
    'a language that has a file of texts is used if %s requests it',
    ([, attribute, lang, field]) => {
      document.documentElement.lang = lang
      const form = document.createElement('form')
      if (attribute) form.dataset.mondidoLocale = attribute
      const settings = resolveSettings(form, {}, {})
      const locale = getLocale(settings, field)
      expect([locale, getTextIn(locale, settings, 'paid')]).toEqual([
        'qq',
        '«The payment is complete.»',
      ])
      expect(settings.wrong).toEqual([])
    },
  )
})
