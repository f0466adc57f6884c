/** Epoch milliseconds, or a time or day of the API, such as `2026-04-01T12:00:00Z`. */
type Moment = number | string

/**
 * Creates a formatter at its first use. Creating one takes milliseconds, and the payment page needs
 * none.
 */
function createFormat(timeStyle?: 'short' | 'medium'): (moment: Moment) => string {
  let format: Intl.DateTimeFormat | undefined
  return (moment) => {
    format ??= new Intl.DateTimeFormat('en-GB', {
      ...{ dateStyle: 'medium', timeZone: 'UTC' },
      ...(timeStyle && { timeStyle }),
    })
    return format.format(new Date(moment))
  }
}

/** Names a day: `29 Nov 2026`. */
export const formatDay = createFormat()

/** Names a minute: `29 Nov 2026, 09:40`. */
export const formatMinute = createFormat('short')

/** Names a second: `29 Nov 2026, 09:40:31`. */
export const formatSecond = createFormat('medium')
