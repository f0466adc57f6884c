const DATE = { day: 'numeric', month: 'short', year: 'numeric' } as const
const TIME = { hour: '2-digit', minute: '2-digit', timeZoneName: 'short' } as const

/**
 * A date as all pages write it: `14 Mar 2026`.
 * @param at epoch milliseconds
 * @param numbers how the language writes numbers: `LANGUAGES`
 */
export const dateText = (at: number, numbers: string): string =>
  new Intl.DateTimeFormat(numbers, { ...DATE, timeZone: 'UTC' }).format(at)

/**
 * The same with the time and its zone. @param timeZone undefined is that of whoever runs this: a
 * script, the payer's
 */
export const timeText = (at: number, numbers: string, timeZone?: 'UTC'): string =>
  new Intl.DateTimeFormat(numbers, { ...DATE, ...TIME, timeZone }).format(at)
