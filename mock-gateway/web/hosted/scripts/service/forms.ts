import { findTypedBrand, groupNumber } from '../../../../../sdk/shared/typed-card.ts'
import { byId } from '../page/elements.ts'
import { rewrite } from '../page/typing.ts'
import { asked, serviceSettings } from './settings.ts'
import { show, tell } from './shown.ts'
import { serviceText } from './words.ts'

/** Forms of the other methods, which have no action (observed: 11.4). */
const OTHER_FORMS = [
  'swishform',
  'paypalform',
  'trustlyform',
  'masterpassform',
  'invoiceform',
] as const

/** Required card fields, and the names of their texts. */
const NEEDED = {
  card_number: 'card_number',
  card_holder: 'card_holder',
  card_cvv: 'cvc',
  expMM: 'expiry',
  expYY: 'expiry',
} as const

const typedIn = (form: HTMLFormElement, name: string): HTMLInputElement | null => {
  const found = form.elements.namedItem(name)
  return found instanceof HTMLInputElement ? found : null
}

/**
 * Completes the payer's input, reports missing fields, and sends each form once (observed: 11.5).
 */
export function mountForms(): void {
  const card = byId('mondidopayform', HTMLFormElement)
  if (card) mountCard(card)
  for (const form of OTHER_FORMS.map((id) => byId(id, HTMLFormElement))) {
    if (!form) continue
    form.action = card?.action ?? location.href
    // The bank has a page of its own, not a frame of this one.
    form.removeAttribute('target')
    sendOnce(form)
  }
  show('iframe[name=trustly]', false)
  const plan = byId('plans', HTMLSelectElement)
  const chosen = asked('plan')
  if (plan && [...plan.options].some(({ value }) => value === chosen)) plan.value = chosen ?? ''
  const bank = byId('trustlyform', HTMLFormElement)
  const terms = byId('trustlyform-terms', HTMLFormElement)
  if (terms?.parentElement) terms.parentElement.style.display = ''
  terms?.addEventListener('submit', (event) => {
    event.preventDefault()
    bank?.requestSubmit()
  })
  addEventListener('pageshow', (event) => event.persisted && location.reload())
}

function mountCard(form: HTMLFormElement): void {
  const number = typedIn(form, 'card_number')
  // A longer or grouped number exceeds the page's maxlength.
  number?.removeAttribute('maxlength')
  number?.addEventListener('input', () => rewrite(number, groupNumber))
  form.addEventListener('submit', (event) => {
    const missing = Object.entries(NEEDED).filter(
      ([name]) => typedIn(form, name)?.value.trim() === '',
    )
    const names = new Set(missing.map(([, words]) => serviceText(words) ?? words))
    complete(form)
    if (names.size === 0) return
    event.preventDefault()
    tell(`${serviceText('validation_message') ?? ''} ${[...names].join(', ')}`)
  })
  sendOnce(form)
}

function complete(form: HTMLFormElement): void {
  const of = (name: string) => typedIn(form, name)?.value.trim() ?? ''
  const expiry = typedIn(form, 'card_expiry')
  const type = typedIn(form, 'card_type')
  if (expiry && of('expMM')) expiry.value = of('expMM').padStart(2, '0') + of('expYY').slice(-2)
  if (type) type.value = findTypedBrand(of('card_number'))?.name.toUpperCase() ?? ''
}

/** Prevents a second submission. */
function sendOnce(form: HTMLFormElement): void {
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return
    if (form.dataset.sent) return event.preventDefault()
    form.dataset.sent = 'true'
    show('.load-process-payment')
    for (const button of form.querySelectorAll<HTMLElement>('[type=submit]'))
      button.style.visibility = 'hidden'
  })
}

/**
 * Shows the error of the last attempt (observed: 11.6), and the price of an order in another
 * currency.
 */
export function tellOutcome(): void {
  if (asked('error_name')) tell(serviceText('failed_message') ?? '')
  const { amount = '', currency = '' } = serviceSettings().convertCurrency ?? {}
  const note = document.getElementById('currencyConvert')
  if (!note || amount === '') return
  note.textContent = serviceText('charged_as', [amount, currency]) ?? ''
  show('#currencyConvert')
}
