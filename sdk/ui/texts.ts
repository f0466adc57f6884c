import type { Settings } from '../settings/options.ts'
import type { Locale } from '../types.ts'
import { MESSAGES, type MessageKey } from './messages.ts'

const asLocale = (text = ''): Locale | undefined =>
  /^(sv|en)(?![a-z])/i.exec(text)?.[1]?.toLowerCase() as Locale | undefined

/** The payer's language: option, the form's `locale` field, the page, English. */
export const localeOf = (settings: Settings, field?: string): Locale =>
  settings.locale ?? asLocale(field) ?? asLocale(document.documentElement.lang) ?? 'en'

/** A text, the page's own first. */
export const textIn = (locale: Locale, settings: Settings, key: MessageKey): string =>
  settings.messages[key] ?? MESSAGES[locale][key]
