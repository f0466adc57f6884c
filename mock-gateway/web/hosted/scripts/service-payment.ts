import { findTypedBrand, groupNumber } from '../../../../sdk/shared/typed-card.ts'
import { byId, rewrite } from './page/elements.ts'
import { readQuery, serviceText } from './service/words.ts'

/** Settings of an old page; all are optional. */
declare const mondidoSettings:
  | {
      readonly activePaymentMethod?: string
      readonly supportedPaymentMethods?: readonly {
        readonly name: string
        readonly active: boolean
      }[]
      readonly convertCurrency?: { readonly amount?: string; readonly currency?: string }
      readonly country_code?: string
      readonly config?: { readonly system?: { readonly endpoint?: string } }
    }
  | undefined

/** The gateway's data for the page (observed: 11.7). */
declare const Mondido:
  | {
      readonly token: string
      readonly transaction: { readonly id: number }
      readonly merchant: { readonly id: number }
    }
  | undefined

const serviceSettings = () => (typeof mondidoSettings === 'undefined' ? undefined : mondidoSettings)

/** Shows or hides an element of an old page by its style or the class `hidden`. */
function show(selector: string, isShown = true): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    element.classList.toggle('hidden', !isShown)
    element.style.display = isShown ? '' : 'none'
  }
}

/**
 * Shows a text in the page's place for messages, or in a dialog if it has none (observed: 11.5).
 */
function tell(text: string): void {
  const place = document.getElementById('errors')
  if (place) {
    place.textContent = text
    place.setAttribute('role', 'alert')
    show('#errors')
  } else alert(text)
}

/** Forms of the other methods, which have no action (observed: 11.4). */
const OTHER_FORMS = 'form:is(#swishform, #paypalform, #trustlyform, #masterpassform, #invoiceform)'

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
function mountForms(): void {
  const card = byId('mondidopayform', HTMLFormElement)
  if (card) mountCard(card)
  for (const form of document.querySelectorAll<HTMLFormElement>(OTHER_FORMS)) {
    form.action = card?.action ?? location.href
    // The bank has a page of its own, not a frame of this one.
    form.removeAttribute('target')
    sendOnce(form)
  }
  show('iframe[name=trustly]', false)
  const plan = byId('plans', HTMLSelectElement)
  const chosen = readQuery('plan')
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
function tellOutcome(): void {
  if (readQuery('error_name')) tell(serviceText('failed_message') ?? '')
  const { amount = '', currency = '' } = serviceSettings()?.convertCurrency ?? {}
  const note = document.getElementById('currencyConvert')
  if (!note || amount === '') return
  note.textContent = serviceText('charged_as', [amount, currency]) ?? ''
  show('#currencyConvert')
}

/** Fields that show the next part of the form when they are filled in (observed: 11.5). */
const NEXT: Readonly<Record<string, string>> = {
  email: '#row-phone-details',
  phone: '#row-ssn-details',
}

const field = (id: string) => byId(id, HTMLInputElement)

/** Shows the form step by step, and fills in the address that belongs to a personal number. */
function mountInvoice(): void {
  const form = byId('invoiceform', HTMLFormElement)
  if (!form) return
  for (const [id, next] of Object.entries(NEXT)) {
    const input = field(id)
    const showNext = () => input?.value && show(next)
    input?.addEventListener('input', showNext)
    showNext()
  }
  field('ssn')?.addEventListener('change', () => void findAddress())
  form.addEventListener('submit', () => {
    const method = field('payment_method')
    if (method) method.value = 'invoice'
    const country = field('country_code')
    if (country?.value === '') country.value = serviceSettings()?.country_code ?? 'SWE'
  })
  for (const kind of ['b2c', 'b2b'])
    for (const link of document.querySelectorAll(`.set-${kind}`))
      link.addEventListener('click', (event) => {
        event.preventDefault()
        setSegmentation(kind)
      })
  setSegmentation(field('segmentation')?.value === 'b2b' ? 'b2b' : 'b2c')
}

function setSegmentation(kind: string): void {
  const input = field('segmentation')
  if (input) input.value = kind
  for (const each of ['b2c', 'b2b']) show(`.state-segmentation.${each}`, each === kind)
}

/** Fills in the found values; the payer types the others. */
async function findAddress(): Promise<void> {
  show('.state-load')
  const found = await fetchPerson().catch(() => undefined)
  show('.state-load', false)
  show('.row.state-error', found === undefined)
  for (const [name, value] of Object.entries(found ?? {})) {
    const input = name === 'id' ? field('pending_payment_customer') : field(name)
    if (input && value !== null) input.value = String(value)
  }
  for (const input of document.querySelectorAll<HTMLInputElement>('.invoice-input'))
    input.disabled = false
  show('.state-customer-details')
}

async function fetchPerson(): Promise<Readonly<Record<string, unknown>> | undefined> {
  const page = typeof Mondido === 'undefined' ? undefined : Mondido
  const { config, country_code } = serviceSettings() ?? {}
  const query = new URLSearchParams({
    token: page?.token ?? '',
    transaction_id: String(page?.transaction.id),
    merchant_id: String(page?.merchant.id),
    ssn: field('ssn')?.value ?? '',
    country: field('country_code')?.value || country_code || 'SWE',
  })
  const answer = await fetch(`${config?.system?.endpoint ?? '/v1/'}ssn?${query}`)
  return answer.ok ? answer.json() : undefined
}

/** Tabs whose name differs from their method's. */
const TABS: Readonly<Record<string, string>> = {
  bank: 'trustly_tab',
  credit_card: 'credit_card_tab',
}

/** Shows the tabs of the page's methods, and the pane of one of them (observed: 11.5). */
function mountTabs(): void {
  const { supportedPaymentMethods, activePaymentMethod = 'credit_card_tab' } =
    serviceSettings() ?? {}
  const methods = supportedPaymentMethods?.filter(({ active }) => active).map(({ name }) => name)
  const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
  const panes = tabs.map((tab) => tab.getAttribute('aria-controls') ?? '')
  const names = panes.filter(
    (name) => document.getElementById(name) && (methods?.includes(name) ?? true),
  )
  for (const pane of panes) show(`li.${CSS.escape(pane)}`, names.includes(pane))
  const choose = (name: string) => {
    for (const pane of panes) {
      show(`#${CSS.escape(pane)}`, pane === name)
      for (const one of document.querySelectorAll(`#${CSS.escape(pane)}, li.${CSS.escape(pane)}`))
        one.classList.toggle('active', pane === name)
    }
    for (const [index, tab] of tabs.entries())
      tab.setAttribute('aria-selected', String(panes[index] === name))
  }
  for (const [index, tab] of tabs.entries())
    tab.addEventListener('click', (event) => {
      event.preventDefault()
      choose(panes[index] ?? '')
    })
  const wished = readQuery('payment.selected') ?? ''
  const first =
    [TABS[wished] ?? `${wished}_tab`, activePaymentMethod].find((name) => names.includes(name)) ??
    names[0]
  if (first !== undefined) choose(first)
}

/*
 * Replaces the service's own script of the payment page, which pages of 2016 load as
 * `default_payment_js_endpoint`. It implements the behaviour such pages rely on (observed: 11.4 to
 * 11.7) with their own elements, without jQuery.
 */

function mountPage(): void {
  mountTabs()
  mountInvoice()
  mountForms()
  show('.mondido-load', false)
  show('.mondido-payment')
  tellOutcome()
}

if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', mountPage)
else mountPage()
