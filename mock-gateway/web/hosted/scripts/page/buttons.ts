import { byId } from './elements.ts'

/** Adds a button to print a receipt, which then has everything that is folded. */
export function mountPrint(): void {
  const button = byId('print', HTMLButtonElement)
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => print())
  // For browsers that cannot unfold by a style.
  addEventListener('beforeprint', () => {
    for (const folded of document.querySelectorAll('details')) folded.open = true
  })
}

/** Shows the button that leads to the previous page. A new tab has none. */
export function mountPrevious(): void {
  const button = byId('previous', HTMLButtonElement)
  if (!button) return
  button.hidden = history.length < 2
  button.addEventListener('click', () => history.back())
}

/** Fills in the card of the chosen outcome, from its row of the table. */
export function mountTestHelper(): void {
  const rows = [...document.querySelectorAll<HTMLTableRowElement>('tr.outcome')]
  for (const button of document.querySelectorAll<HTMLButtonElement>('.test button'))
    button.addEventListener('click', () => {
      const row = button.closest('tr') ?? rows[Number(button.dataset.row)]
      const [, number, cvv] = [...(row?.cells ?? [])].map(({ textContent }) => textContent ?? '')
      fill('card_number', number)
      fill('card_expiry', row?.closest('table')?.dataset.expiry)
      fill('card_cvv', cvv)
      const holder = byId('card_holder', HTMLInputElement)
      if (holder?.value === '') fill('card_holder', 'Test Testsson')
      document.querySelector<HTMLButtonElement>('#mondidopayform > .button')?.focus()
    })
}

function fill(id: string, value = ''): void {
  const input = byId(id, HTMLInputElement)
  if (!input) return
  input.value = value
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/**
 * Leads the payer out of the bank's frame (setting `form_in_place`); without a script, a button
 * does.
 */
export const leaveBankFrame = (): void => byId('after-bank', HTMLFormElement)?.submit()
