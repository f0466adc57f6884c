import { byId } from './elements.ts'

/** How long before its end a page offers more time (WCAG 2.2.1 asks for 20 seconds at least). */
const WARNING_MS = 120_000

/** What a browser's timers can wait at most. */
const LONGEST_MS = 2 ** 31 - 1

/**
 * Two minutes before the page's time is over it says so; after that the gateway's own page does.
 */
export function watchTime(): void {
  const note = byId('time', HTMLDivElement)
  if (!note) return
  let timers = startTimers(note, Number(note.dataset.seconds))
  note.querySelector('form')?.addEventListener('submit', (event) => {
    // What was typed so far stays where it is.
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

/** @returns the seconds that there are now; undefined when the page cannot be had any more */
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
