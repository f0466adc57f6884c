import { LANGUAGES, type Locale } from './languages.ts'

/**
 * Formats a date in UTC: `14 Mar 2026`.
 * @param at epoch milliseconds
 */
export function dateText(at: number, locale: Locale): string {
  const date = new Date(at)
  const month = LANGUAGES[locale].months[date.getUTCMonth()]
  return `${date.getUTCDate()} ${month} ${date.getUTCFullYear()}`
}

/** Formats a date with its time in UTC: `14 Mar 2026, 09:05 UTC`. */
export const timeText = (at: number, locale: Locale): string =>
  `${dateText(at, locale)}${LANGUAGES[locale].beforeTime}${new Date(at).toISOString().slice(-13, -8)} UTC`
