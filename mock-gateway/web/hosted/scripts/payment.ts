import { suggestAddress } from '../../../domain/payer/email-typos.ts'
import { mountCardForm } from './page/card-form.ts'
import { byId, openAgain, setAttribute } from './page/elements.ts'
import { speakToParent } from './page/parent.ts'
import { tellPayersTime, waitForEnd, watchTime } from './page/time.ts'
import { keepTyped } from './page/typed.ts'

/*
 * Script of the payment pages; all of them work without it. Browser modules, served as one file;
 * they only import each other and rules that the gateway also applies.
 */

/** Adds a button to print a receipt, which then has everything that is folded. */
function mountPrint(): void {
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
function mountPrevious(): void {
  const button = byId('previous', HTMLButtonElement)
  if (!button) return
  button.hidden = history.length < 2
  button.addEventListener('click', () => history.back())
}

/** Fills in the card of the chosen outcome, from its row of the table. */
function mountTestHelper(): void {
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

/** Suggests a corrected address; only the payer's click changes the input. */
function watchEmail(): void {
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

/**
 * Milliseconds after which a form can be sent again: not every browser reports a stopped load, and
 * the gateway itself ensures that the bank is asked once.
 */
const RELEASE_MS = 10_000

/**
 * Sends a form once: a second click, or Enter and a click, is ignored. After a stop the form can be
 * sent again.
 */
function sendOnce(): void {
  for (const form of document.forms) {
    const button = form.querySelector<HTMLButtonElement>('button.button')
    const label = button?.textContent ?? ''
    const { paying } = JSON.parse(form.dataset.texts ?? '{}') as { paying?: string }
    let timer: number | undefined
    const setBusy = (isBusy: boolean) => {
      if (!button || !paying) return
      setAttribute(button, 'aria-disabled', isBusy ? 'true' : '')
      setAttribute(button, 'aria-busy', isBusy ? 'true' : '')
      button.textContent = isBusy ? paying : label
    }
    const release = () => {
      clearTimeout(timer)
      timer = undefined
      setBusy(false)
    }
    form.addEventListener('submit', (event) => {
      if (event.defaultPrevented) return
      if (timer !== undefined) return event.preventDefault()
      timer = setTimeout(release, RELEASE_MS) as unknown as number
      setBusy(true)
    })
    window.navigation?.addEventListener('navigateerror', release)
    addEventListener('keydown', ({ key }) => {
      if (key === 'Escape') release()
    })
  }
}

// A page from the browser's cache may show a payment that is already paid.
addEventListener('pageshow', (event) => {
  if (event.persisted) openAgain()
})
mountCardForm()
keepTyped()
watchEmail()
mountTestHelper()
sendOnce()
watchTime()
waitForEnd()
mountPrint()
mountPrevious()
tellPayersTime()
speakToParent()
// Leads the payer out of the bank's frame (setting `form_in_place`).
byId('after-bank', HTMLFormElement)?.submit()
