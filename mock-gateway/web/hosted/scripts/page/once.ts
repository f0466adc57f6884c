/**
 * Sends a form once: a second click, or Enter and a click, is ignored. The gateway itself ensures
 * that the bank is asked once.
 */
export function sendOnce(): void {
  for (const form of document.forms) {
    let isSent = false
    form.addEventListener('submit', (event) => {
      if (event.defaultPrevented) return
      if (isSent) return event.preventDefault()
      isSent = true
      const button = form.querySelector<HTMLButtonElement>('button.button')
      const { paying } = JSON.parse(form.dataset.texts ?? '{}') as { paying?: string }
      if (!button || !paying) return
      button.setAttribute('aria-disabled', 'true')
      button.setAttribute('aria-busy', 'true')
      button.textContent = paying
    })
  }
}
