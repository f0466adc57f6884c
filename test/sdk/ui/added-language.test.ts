import { afterEach, beforeEach, expect, test } from 'vitest'
import { resolveSettings } from '../../../sdk/settings/options.ts'
import { MESSAGES } from '../../../sdk/ui/messages.ts'
import { localeOf, textIn } from '../../../sdk/ui/texts.ts'

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
    const locale = localeOf(settings, field)
    expect([locale, textIn(locale, settings, 'paid')]).toEqual(['qq', '«The payment is complete.»'])
    expect(settings.wrong).toEqual([])
  },
)
