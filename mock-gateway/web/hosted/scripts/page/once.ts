/**
 * A form is sent once: a second click, or Enter and a click, sends nothing. That the bank is asked
 * once the gateway sees to.
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
