import { byId, openAgain } from './elements.ts'

/**
 * Time before the end at which a page offers more time (WCAG 2.2.1 requires at least 20 seconds).
 */
const WARNING_MS = 120_000

/** Longest timeout of browsers. */
const LONGEST_MS = 2 ** 31 - 1

/** Warns two minutes before the page expires; afterwards the gateway's own page does. */
export function watchTime(): void {
  const note = byId('time', HTMLDivElement)
  if (!note) return
  let timers = startTimers(note, Number(note.dataset.seconds))
  const text = note.querySelector('p')
  const warning = text?.textContent ?? ''
  note.querySelector('form')?.addEventListener('submit', (event) => {
    // Typed values stay.
    event.preventDefault()
    void askForMore(event.target as HTMLFormElement).then((seconds) => {
      if (seconds === undefined) return openAgain()
      if (text) text.textContent = seconds === 'unknown' ? (note.dataset.failed ?? '') : warning
      if (seconds === 'unknown') return
      for (const timer of timers) clearTimeout(timer)
      note.hidden = true
      timers = startTimers(note, seconds)
    })
  })
}

function startTimers(note: HTMLElement, seconds: number): readonly number[] {
  const left = seconds * 1000
  if (left > LONGEST_MS) return []
  const warn = setTimeout(
    () => {
      note.hidden = false
    },
    Math.max(0, left - WARNING_MS),
  )
  return [warn, setTimeout(openAgain, left)] as unknown as readonly number[]
}

/** Statuses of a page that has ended: it shows the receipt, or why it can no longer be paid. */
const ENDED = [200, 400, 410]

/**
 * @returns the remaining seconds; undefined if the page has ended; `unknown` if no page answered,
 * for example without a network
 */
async function askForMore(form: HTMLFormElement): Promise<number | 'unknown' | undefined> {
  try {
    const answer = await fetch(location.href, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form) as never),
    })
    const [, seconds] = / data-seconds="(\d+)"/.exec(await answer.text()) ?? []
    if (seconds !== undefined) return Number(seconds)
    return ENDED.includes(answer.status) ? undefined : 'unknown'
  } catch {
    return 'unknown'
  }
}

const DATE_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
}

/** Converts times to the payer's time zone; the gateway only writes UTC. */
export function tellPayersTime(): void {
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-numbers]')) {
    const { format } = new Intl.DateTimeFormat(time.dataset.numbers, DATE_AND_TIME)
    time.textContent = format(Date.parse(time.dateTime))
  }
}

/** Seconds between two status requests; the last is repeated. */
const PAUSES = [1, 2, 3, 5]

/** Seconds after which the page mentions a delay, if the duration is unknown. */
const LONG = 60

/**
 * Polls the payment's status, and shows the result. Ends when the payer leaves the page: opening
 * the result would cancel the way to a slow shop.
 */
export function waitForEnd(): void {
  const main = document.getElementById('waiting')
  if (!main) return
  const leaving = new AbortController()
  for (const type of ['submit', 'beforeunload']) addEventListener(type, () => leaving.abort())
  void pollStatus(main, leaving.signal)
}

async function pollStatus(main: HTMLElement, leaving: AbortSignal): Promise<void> {
  const startedAt = performance.now()
  for (let polls = 0, left = 1; left > 0; polls++) {
    const pause = PAUSES[Math.min(polls, PAUSES.length - 1)] ?? 5
    await new Promise((resolve) => setTimeout(resolve, pause * 1000))
    left = Number(main.dataset.seconds ?? LONG) - (performance.now() - startedAt) / 1000
    const minutes = document.getElementById('minutes')
    if (minutes) minutes.textContent = String(Math.max(0, Math.ceil(left / 60)))
    const isWaiting = await isStillWaiting(main.dataset.page || location.href)
    if (leaving.aborted) return
    if (!isWaiting) return openAgain()
  }
  const status = main.querySelector('[role=status]')
  if (status) status.textContent = main.dataset.long ?? ''
}

/** A failed request, for example without a network, counts as no change. */
async function isStillWaiting(address: string): Promise<boolean> {
  try {
    return (await (await fetch(address, { cache: 'no-store' })).text()).includes(' id="waiting"')
  } catch {
    return true
  }
}
