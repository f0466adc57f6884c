const options = { dateStyle: 'medium', timeZone: 'UTC' } as const
const DAY = new Intl.DateTimeFormat('en-GB', options)
const MINUTE = new Intl.DateTimeFormat('en-GB', { ...options, timeStyle: 'short' })
const SECOND = new Intl.DateTimeFormat('en-GB', { ...options, timeStyle: 'medium' })

/** Epoch milliseconds, or a time or day of the API, such as `2026-04-01T12:00:00Z`. */
type Moment = number | string

/** Names a day: `29 Nov 2026`. */
export const formatDay = (moment: Moment): string => DAY.format(new Date(moment))

/** Names a minute: `29 Nov 2026, 09:40`. */
export const formatMinute = (moment: Moment): string => MINUTE.format(new Date(moment))

/** Names a second: `29 Nov 2026, 09:40:31`. */
export const formatSecond = (moment: Moment): string => SECOND.format(new Date(moment))
