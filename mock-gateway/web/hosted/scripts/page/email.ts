import { suggestAddress } from '../../../../domain/payer/email-typos.ts'
import { byId } from './elements.ts'

/** Suggests a corrected address; only the payer's click changes the input. */
export function watchEmail(): void {
  const input = byId('email', HTMLInputElement)
  const note = byId('email_meant', HTMLParagraphElement)
  if (!input || !note) return
  const ask = () => {
    const meant = suggestAddress(input.value)
    if (meant === undefined) return note.replaceChildren()
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'plain'
    button.textContent = `${note.dataset.ask} ${meant}?`
    button.addEventListener('click', () => {
      input.value = meant
      note.replaceChildren()
      input.focus()
    })
    note.replaceChildren(button)
  }
  input.addEventListener('change', ask)
  ask()
}
