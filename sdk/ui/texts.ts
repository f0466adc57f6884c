import type { Settings } from '../settings/options.ts'
import { isLocale, type Locale, MESSAGES, type MessageKey } from './messages.ts'

/** A language with or without its country, in any case. */
function asLocale(text = ''): Locale | undefined {
  const [language] = text.toLowerCase().split(/\W|_/)
  return isLocale(language) ? language : undefined
}

/** The payer's language: option, the form's `locale` field, the page, English. */
export const localeOf = (settings: Settings, field?: string): Locale =>
  settings.locale || asLocale(field) || asLocale(document.documentElement.lang) || 'en'

/** A text, the page's own first. */
export const textIn = (locale: Locale, settings: Settings, key: MessageKey): string =>
  settings.messages[key] ?? MESSAGES[locale][key]
