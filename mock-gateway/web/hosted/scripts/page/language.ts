/**
 * Key of typed values in this tab's session storage, until the page is shown in the other language.
 */
const KEY = 'mondido-typed'

/** Restored inputs: no card data except the name, and no values of the page itself. */
const KEPT =
  'input[id]:not([type=hidden], [type=password], #card_number, #card_expiry, #card_cvv), select[id]'

/** Keeps typed values when the payer chooses another language; card data are typed again. */
export function keepTyped(): void {
  putBack()
  for (const link of document.querySelectorAll('header a[hreflang]'))
    link.addEventListener('click', keep)
}

/** A card number in any field. */
const CARD_NUMBER = /(?:\d[\s-]*){12}/

type Input = HTMLInputElement | HTMLSelectElement

const inputs = () => [...document.querySelectorAll<Input>(KEPT)]

const isTicked = (input: Input): input is HTMLInputElement =>
  input.type === 'checkbox' || input.type === 'radio'

const typedOf = (input: Input) => (isTicked(input) ? input.checked : input.value)

/** Storage can be unavailable in a frame. */
function keep(): void {
  try {
    const typed = inputs()
      .map((input) => [input.id, typedOf(input)] as const)
      .filter(([, value]) => !CARD_NUMBER.test(String(value)))
    sessionStorage.setItem(KEY, JSON.stringify({ at: location.pathname, typed }))
  } catch {
    // Then the payer types the values again.
  }
}

function putBack(): void {
  const kept = takeKept()
  if (kept?.at !== location.pathname) return
  const typed = new Map(kept.typed)
  for (const input of inputs()) {
    const value = typed.get(input.id)
    if (isTicked(input)) input.checked = value === true
    else if (typeof value === 'string' && value !== '') input.value = value
  }
}

function takeKept():
  | { readonly at: string; readonly typed: readonly [string, string | boolean][] }
  | undefined {
  try {
    const kept = sessionStorage.getItem(KEY)
    sessionStorage.removeItem(KEY)
    return kept === null ? undefined : JSON.parse(kept)
  } catch {
    return undefined
  }
}
