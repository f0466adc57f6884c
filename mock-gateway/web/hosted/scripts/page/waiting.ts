/** Seconds between two looks; the last is repeated. */
const PAUSES = [1, 2, 3, 5]

/** Seconds after which a payer is told that it takes long. */
const LONG = 60

/** Looks whether the payment is still under way, and shows what came of it. */
export function waitForEnd(): void {
  const main = document.getElementById('waiting')
  if (main) void look(main, 0, 0)
}

async function look(main: HTMLElement, looks: number, waited: number): Promise<void> {
  const pause = PAUSES[Math.min(looks, PAUSES.length - 1)] ?? 5
  await new Promise((resolve) => setTimeout(resolve, pause * 1000))
  if (waited + pause >= LONG) {
    const status = main.querySelector('[role=status]')
    if (status) status.textContent = main.dataset.long ?? ''
    return
  }
  if (await isWaiting()) await look(main, looks + 1, waited + pause)
  else location.replace(location.href)
}

/** A look that fails, without a network say, is one that saw nothing new. */
async function isWaiting(): Promise<boolean> {
  try {
    return (await (await fetch(location.href, { cache: 'no-store' })).text()).includes(' id="waiting"')
  } catch {
    return true
  }
}
