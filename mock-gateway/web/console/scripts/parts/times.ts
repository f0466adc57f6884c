/**
 * Lets the clock in the menu run, from the gateway's time at the load of the page. A stopped clock
 * does not run.
 */
export function runClock(): void {
  setInterval(() => {
    for (const clock of document.querySelectorAll<HTMLTimeElement>('time[data-mode]')) {
      if (clock.dataset.mode === 'frozen') continue
      const now = Date.parse(clock.dateTime) + 1_000
      clock.dateTime = new Date(now).toISOString()
      clock.textContent = clock.dateTime.slice(0, 19).replace('T', ' ')
    }
  }, 1_000)
}
