import { openAgain } from './elements.ts'

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
