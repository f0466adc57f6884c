import { byId } from './elements.ts'

/** Fills in the card of the chosen outcome. */
export function mountTestHelper(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-number]'))
    button.addEventListener('click', () => {
      const { number = '', expiry = '', cvv = '' } = button.dataset
      fill('card_number', number)
      fill('card_expiry', expiry)
      fill('card_cvv', cvv)
      const holder = byId('card_holder', HTMLInputElement)
      if (holder?.value === '') fill('card_holder', 'Test Testsson')
      document.querySelector<HTMLButtonElement>('#mondidopayform button')?.focus()
    })
}

function fill(id: string, value: string): void {
  const input = byId(id, HTMLInputElement)
  if (!input) return
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}
