import { byId } from './elements.ts'

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
  note.querySelector('form')?.addEventListener('submit', (event) => {
    // Typed values stay.
    event.preventDefault()
    void askForMore(event.target as HTMLFormElement).then((seconds) => {
      if (seconds === undefined) return location.reload()
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
  return [warn as unknown as number, setTimeout(() => location.reload(), left) as unknown as number]
}

/** @returns the remaining seconds; undefined if the page has ended */
async function askForMore(form: HTMLFormElement): Promise<number | undefined> {
  try {
    const answer = await fetch(location.href, {
      method: 'POST',
      body: new URLSearchParams(new FormData(form) as never),
    })
    const [, seconds] = / data-seconds="(\d+)"/.exec(await answer.text()) ?? []
    return seconds === undefined ? undefined : Number(seconds)
  } catch {
    return undefined
  }
}
