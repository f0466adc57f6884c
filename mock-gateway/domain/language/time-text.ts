const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/**
 * Formats a date: `14 Mar 2026`.
 * @param at epoch milliseconds
 * @param numbers number format of the language, see `LANGUAGES`
 */
export const dateText = (at: number, numbers: string): string =>
  new Intl.DateTimeFormat(numbers, { ...DATE, timeZone: 'UTC' }).format(at)

/**
 * Formats a date with time and zone. @param timeZone default: the machine's zone, in a script the
 * payer's
 */
export const timeText = (at: number, numbers: string, timeZone?: 'UTC'): string =>
  new Intl.DateTimeFormat(numbers, { ...DATE, ...TIME, timeZone }).format(at)
