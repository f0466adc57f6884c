/** Units from the largest, in seconds. */
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** Days after which a date is clearer. */
const FAR = 45

const words = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'short' })

/**
 * Difference of the gateway's time at the browser's time origin; a frozen clock does not advance.
 */
let ahead = 0
let stands: number | undefined

let ticks = false

/** The clock in the menu. */
const CLOCKS = 'time[data-mode]'

/** Shows times relative to the gateway's clock; the exact time is a tooltip. */
export function tellTimes(page: Document): void {
  const clock = page.querySelector<HTMLTimeElement>(CLOCKS)
  if (clock) {
    const shown = Date.parse(clock.dateTime)
    ahead = shown - performance.now()
    stands = clock.dataset.mode === 'frozen' ? shown : undefined
  }
  const now = stands ?? performance.now() + ahead
  for (const time of page.querySelectorAll<HTMLTimeElement>(
    'time[datetime]:not([data-exact], [data-mode])',
  )) {
    time.title ||= `${(time.textContent ?? '').trim()} UTC`
    const text = textOf(Date.parse(time.dateTime), now)
    if (text !== undefined && text !== time.textContent) time.textContent = text
  }
  if (page !== document || ticks) return
  ticks = true
  setInterval(tick, 1_000)
}

function tick(): void {
  if (stands === undefined)
    for (const clock of document.querySelectorAll<HTMLTimeElement>(CLOCKS)) {
      clock.dateTime = new Date(performance.now() + ahead).toISOString()
      clock.textContent = clock.dateTime.slice(0, 19).replace('T', ' ')
    }
  tellTimes(document)
}

/** Undefined if the date is clearer. */
function textOf(moment: number, now: number): string | undefined {
  const seconds = Math.round((moment - now) / 1_000)
  if (!(Math.abs(seconds) < FAR * 86_400)) return undefined
  if (Math.abs(seconds) < 5) return 'just now'
  const [unit, size] = UNITS.find(([, least]) => Math.abs(seconds) >= least) ?? UNITS[3]
  return words.format(Math.trunc(seconds / size), unit)
}
