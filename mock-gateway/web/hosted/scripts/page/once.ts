/**
 * Milliseconds after which a form can be sent again: not every browser reports a stopped load, and
 * the gateway itself ensures that the bank is asked once.
 */
const RELEASE_MS = 10_000

/**
 * Sends a form once: a second click, or Enter and a click, is ignored. After a stop the form can be
 * sent again.
 */
export function sendOnce(): void {
  for (const form of document.forms) {
    const button = form.querySelector<HTMLButtonElement>('button.button')
    const label = button?.textContent ?? ''
    const { paying } = JSON.parse(form.dataset.texts ?? '{}') as { paying?: string }
    let timer: number | undefined
    const release = () => {
      clearTimeout(timer)
      timer = undefined
      if (!button || !paying) return
      button.removeAttribute('aria-disabled')
      button.removeAttribute('aria-busy')
      button.textContent = label
    }
    form.addEventListener('submit', (event) => {
      if (event.defaultPrevented) return
      if (timer !== undefined) return event.preventDefault()
      timer = setTimeout(release, RELEASE_MS) as unknown as number
      if (!button || !paying) return
      button.setAttribute('aria-disabled', 'true')
      button.setAttribute('aria-busy', 'true')
      button.textContent = paying
    })
    window.navigation?.addEventListener('navigateerror', release)
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') release()
    })
  }
}
