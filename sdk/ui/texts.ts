import type { Settings } from '../settings/options.ts'
import { isLocale, type Locale, MESSAGES, type MessageKey } from './messages.ts'

/** Reads a language code with or without its country, in any case. */
function asLocale(text = ''): Locale | undefined {
  const [language] = text.toLowerCase().split(/\W|_/)
  return isLocale(language) ? language : undefined
}

/** Returns the language: the option, the form's `locale`, the page's, or English. */
export const getLocale = (settings: Settings, field?: string): Locale =>
  settings.locale || asLocale(field) || asLocale(document.documentElement.lang) || 'en'

/** Returns a text; the page's own takes precedence. */
export const getTextIn = (locale: Locale, settings: Settings, key: MessageKey): string =>
  settings.messages[key] ?? MESSAGES[locale][key]
