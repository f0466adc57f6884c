/**
 * Key of typed values in this tab's session storage, until the page is shown in the other language.
 */
const KEY = 'mondido-typed'

/** Restored inputs: no card data except the name, and no values of the page itself. */
const KEPT =
  'input[id]:not([type=hidden], [type=password], #card_number, #card_expiry, #card_cvv), select[id]'

/**
 * Keeps typed values when the payer chooses another language or method. The values of a sent form
 * come back from the gateway, so that none are left in the browser after a payment. Card data are
 * typed again.
 */
export function keepTyped(): void {
  putBack()
  for (const link of document.querySelectorAll('header a[hreflang], .methods a, .wallets a'))
    link.addEventListener('click', keep)
}

/** A card number in any field. */
const CARD_NUMBER = /(?:\d[\s-]*){12}/

type Input = HTMLInputElement | HTMLSelectElement

/** Id of an input, with its value. */
type Typed = readonly [string, string | boolean]

/** Values of inputs that only another method's form has. */
const elsewhere: Typed[] = []

const inputs = () => [...document.querySelectorAll<Input>(KEPT)]

const isTicked = (input: Input): input is HTMLInputElement =>
  input.type === 'checkbox' || input.type === 'radio'

const readTyped = (input: Input) => (isTicked(input) ? input.checked : input.value)

/** Storage can be unavailable in a frame. */
function keep(): void {
  try {
    const typed = inputs()
      .map((input): Typed => [input.id, readTyped(input)])
      .filter(([, value]) => !CARD_NUMBER.test(String(value)))
    const kept = { at: location.pathname, typed: [...elsewhere, ...typed] }
    sessionStorage.setItem(KEY, JSON.stringify(kept))
  } catch {
    // Then the payer types the values again.
  }
}

function putBack(): void {
  const kept = takeKept()
  if (kept?.at !== location.pathname) return
  for (const [id, value] of kept.typed) {
    const input = inputs().find((each) => each.id === id)
    if (!input) elsewhere.push([id, value])
    else if (isTicked(input)) input.checked = value === true
    else if (typeof value === 'string' && canHold(input, value)) input.value = value
  }
}

/** Returns true for a typed text, or for a choice that the page offers. */
const canHold = (input: Input, value: string): boolean =>
  input instanceof HTMLSelectElement
    ? [...input.options].some((option) => option.value === value)
    : value !== ''

function takeKept(): { readonly at: string; readonly typed: readonly Typed[] } | undefined {
  try {
    const kept = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return kept === null ? undefined : JSON.parse(kept)
  } catch {
    return undefined
  }
}
