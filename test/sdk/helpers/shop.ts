import jQuery from 'jquery'
import { vi } from 'vitest'
import * as advice from '../../../sdk/advice/advice-file.ts'
import { setAdviceSource } from '../../../sdk/advice/tell.ts'
import { install } from '../../../sdk/jquery/plugin.ts'
import { createLibrary, type Library } from '../../../sdk/library.ts'
import type {
  MondidoError,
  MondidoOptions,
  MondidoState,
  ServedConfig,
  Transaction,
} from '../../../sdk/types.ts'
import { hashOf } from './merchant.ts'

export const CARD_NUMBER = '4111111111111111'

const FIELDS = {
  merchant_id: '1',
  amount: '10.00',
  currency: 'sek',
  test: 'true',
  card_holder: 'Åsa Öst',
}
const CARD = { card_number: CARD_NUMBER, card_cvv: '200', card_expiry: '1230' }

type Fields = Readonly<Record<string, string>>

interface FormOptions {
  id?: string
  /** Unencrypted fields, in addition to the fields of an ordinary payment. */
  fields?: Fields
  /** Encrypted fields, in addition to the fields of an ordinary payment. */
  card?: Fields
  /** Additional mark-up inside the form. */
  extra?: string
  /** Additional attributes of the form. */
  attributes?: string
}

let orders = 0

/** Adds a payment form for a new order to the page, signed by the merchant's server. */
export function addForm({
  id = 'pay',
  fields,
  card,
  extra = '',
  attributes = '',
}: FormOptions = {}): HTMLFormElement {
  const plain: Fields = { ...FIELDS, payment_ref: `order-${++orders}`, ...fields }
  const inputs = Object.entries({ hash: hashOf(plain), ...plain }).map(
    ([name, value]) => `<input name="${name}" value="${value}">`,
  )
  const secrets = Object.entries({ ...CARD, ...card }).map(
    ([name, value]) => `<input data-encrypt-attribute="${name}" value="${value}">`,
  )
  const html = `<form id="${id}" ${attributes}>${[...inputs, ...secrets].join('')}${extra}<button id="${id}-button">Pay</button></form>`
  document.body.insertAdjacentHTML('beforeend', html)
  return document.getElementById(id) as HTMLFormElement
}

/** Returns the input of a form for a parameter. */
export const input = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.querySelector(`[data-encrypt-attribute="${name}"], [name="${name}"]`) as HTMLInputElement

export const loadAdvice = () => Promise.resolve(advice)

/** Loads a new copy of the library for the page's jQuery, in place of the previous copy. */
export function installLibrary(config?: ServedConfig, $: JQueryStatic = jQuery): Library {
  $.mondido?.noConflict()
  const library = createLibrary(loadAdvice)
  setAdviceSource(loadAdvice, advice)
  if (config) library.configure(config)
  install($, library)
  return library
}

export type Ending = { transaction: Transaction } | { error: MondidoError }

/** Returns the result of the form's next attempt. */
export const ending = (form: EventTarget): Promise<Ending> =>
  new Promise((resolve) => {
    form.addEventListener(
      'mondido:success',
      (event) => resolve({ transaction: (event as CustomEvent).detail }),
      { once: true },
    )
    form.addEventListener(
      'mondido:fail',
      (event) => resolve({ error: (event as CustomEvent).detail }),
      { once: true },
    )
  })

/** Returns the error of the form's next attempt. */
export async function failure(form: EventTarget): Promise<MondidoError> {
  const end = await ending(form)
  if ('error' in end) return end.error
  throw new Error('The payment succeeded.')
}

/** Adds a payment form, and mounts it in ajax mode. */
export function payableForm(
  options: MondidoOptions = {},
  formOptions: FormOptions = {},
): HTMLFormElement {
  const form = addForm(formOptions)
  jQuery(form).mondido({ type: 'ajax', ...options })
  return form
}

/** Presses the form's button. */
export const press = (form: HTMLFormElement): void =>
  (form.querySelector('button:last-of-type') as HTMLElement).click()

/** Records the states of a form. */
export function recordStates(form: EventTarget): MondidoState[] {
  const states: MondidoState[] = []
  form.addEventListener('mondido:state', (event) => states.push((event as CustomEvent).detail.to))
  return states
}

/** Presses the form's button, and returns the result of the attempt. */
export function attemptPayment(form: HTMLFormElement): Promise<Ending> {
  const end = ending(form)
  press(form)
  return end
}

/** Presses the form's button, and returns the error of the attempt. */
export function failPayment(form: HTMLFormElement): Promise<MondidoError> {
  const end = failure(form)
  press(form)
  return end
}

/** Records the types of the listeners that are added to window and document and not removed. */
export function recordListeners(): string[] {
  const listeners: string[] = []
  for (const target of [window, document]) {
    const { addEventListener, removeEventListener } = target
    vi.spyOn(target, 'addEventListener').mockImplementation((type: string, ...rest: unknown[]) => {
      listeners.push(type)
      addEventListener.call(target, type, ...(rest as [EventListener]))
    })
    vi.spyOn(target, 'removeEventListener').mockImplementation(
      (type: string, ...rest: unknown[]) => {
        listeners.splice(listeners.indexOf(type), 1)
        removeEventListener.call(target, type, ...(rest as [EventListener]))
      },
    )
  }
  return listeners
}

/** Reports to the page that its policy has forbidden an address. */
export const forbidByPolicy = (effectiveDirective: string, blockedURI: string): boolean =>
  document.dispatchEvent(
    Object.assign(new Event('securitypolicyviolation'), {
      disposition: 'enforce',
      effectiveDirective,
      blockedURI,
    }),
  )

/** Shows the page again from the browser's cache of frozen pages. */
export const thawPage = (): boolean =>
  window.dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true }))
