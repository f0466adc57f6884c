/** Settings of an old page in the global `mondidoSettings`; all are optional. */
interface ServiceSettings {
  readonly activePaymentMethod?: string
  readonly supportedPaymentMethods?: readonly { readonly name: string; readonly active: boolean }[]
  readonly convertCurrency?: { readonly amount?: string; readonly currency?: string }
  readonly country_code?: string
  readonly config?: { readonly system?: { readonly endpoint?: string } }
}

/** The gateway's data for the page (observed: 11.7). */
interface ServicePage {
  readonly token: string
  readonly transaction: { readonly id: number }
  readonly merchant: { readonly id: number }
}

declare const mondidoSettings: ServiceSettings | undefined
declare const Mondido: ServicePage | undefined

export const serviceSettings = (): ServiceSettings =>
  typeof mondidoSettings === 'undefined' ? {} : mondidoSettings

export const servicePage = (): ServicePage | undefined =>
  typeof Mondido === 'undefined' ? undefined : Mondido

/** Returns a parameter of the page's address. */
export const readQuery = (name: string): string | null =>
  new URLSearchParams(location.search).get(name)

/** Shows or hides an element of an old page by its style or the class `hidden`. */
export function show(selector: string, isShown = true): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    element.classList.toggle('hidden', !isShown)
    element.style.display = isShown ? '' : 'none'
  }
}

/**
 * Shows a text in the page's place for messages, or in a dialog if it has none (observed: 11.5).
 */
export function tell(text: string): void {
  const place = document.getElementById('errors')
  if (place) {
    place.textContent = text
    place.setAttribute('role', 'alert')
    show('#errors')
  } else alert(text)
}
