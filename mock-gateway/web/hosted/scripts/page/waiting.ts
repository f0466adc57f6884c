/** Seconds between two status requests; the last is repeated. */
const PAUSES = [1, 2, 3, 5]

/** Seconds after which the page mentions a delay, if the duration is unknown. */
const LONG = 60

/** Polls the payment's status, and shows the result. */
export function waitForEnd(): void {
  const main = document.getElementById('waiting')
  if (main) void pollStatus(main, 0, performance.now())
}

async function pollStatus(main: HTMLElement, polls: number, startedAt: number): Promise<void> {
  const pause = PAUSES[Math.min(polls, PAUSES.length - 1)] ?? 5
  await new Promise((resolve) => setTimeout(resolve, pause * 1000))
  const left = Number(main.dataset.seconds ?? LONG) - (performance.now() - startedAt) / 1000
  const minutes = document.getElementById('minutes')
  if (minutes) minutes.textContent = String(Math.max(0, Math.ceil(left / 60)))
  if (!(await isWaiting())) return location.replace(location.href)
  if (left > 0) return pollStatus(main, polls + 1, startedAt)
  const status = main.querySelector('[role=status]')
  if (status) status.textContent = main.dataset.long ?? ''
}

/** A failed request, for example without a network, counts as no change. */
async function isWaiting(): Promise<boolean> {
  try {
    return (await (await fetch(location.href, { cache: 'no-store' })).text()).includes(
      ' id="waiting"',
    )
  } catch {
    return true
  }
}
