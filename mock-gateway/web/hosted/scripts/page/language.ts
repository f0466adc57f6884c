/**
 * Where what was typed waits for the page in the other language: in this tab, until that page is
 * shown.
 */
const KEY = 'mondido-typed'

/** What comes back: nothing of a card but the name on it, nor what the page itself says. */
const KEPT =
  'input[id]:not([type=hidden], [type=password], #card_number, #card_expiry, #card_cvv), select[id]'

/** Whoever chooses another language finds again what was typed; a card is typed anew. */
export function keepTyped(): void {
  putBack()
  for (const link of document.querySelectorAll('header a[hreflang]'))
    link.addEventListener('click', keep)
}

/** A card's number may be typed anywhere. */
const CARD_NUMBER = /(?:\d[\s-]*){12}/

type Input = HTMLInputElement | HTMLSelectElement

const inputs = () => [...document.querySelectorAll<Input>(KEPT)]

const isTicked = (input: Input): input is HTMLInputElement =>
  input.type === 'checkbox' || input.type === 'radio'

const typedOf = (input: Input) => (isTicked(input) ? input.checked : input.value)

/** A frame may have no storage. */
function keep(): void {
  try {
    const typed = inputs()
      .map((input) => [input.id, typedOf(input)] as const)
      .filter(([, value]) => !CARD_NUMBER.test(String(value)))
    sessionStorage.setItem(KEY, JSON.stringify({ at: location.pathname, typed }))
  } catch {
    // What was typed is typed again then.
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
