import type { Settings } from '../settings/options.ts'
import type { Locale } from '../types.ts'
import { MESSAGES, type MessageKey } from './messages.ts'

const asLocale = (text = ''): Locale | undefined =>
  /^(sv|en)(?![a-z])/i.exec(text)?.[1]?.toLowerCase() as Locale | undefined

/** The payer's language: option, the form's `locale` field, the page, English. */
export const localeOf = (settings: Settings, field: string | undefined): Locale =>
  settings.locale ?? asLocale(field) ?? asLocale(document.documentElement.lang) ?? 'en'

/** The texts of one attempt: the page's own first.
 * @param field what the form's `locale` field says */
export function textsFor(settings: Settings, field?: string): (key: MessageKey) => string {
  const texts = MESSAGES[localeOf(settings, field)]
  return (key) => settings.messages[key] ?? texts[key]
}
