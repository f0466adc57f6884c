/** Parameters of the inputs that are watched, by the browser's names for them. */
const PARAMETERS: Readonly<Record<string, string>> = {
  'cc-number': 'card_number',
  'cc-csc': 'card_cvv',
  'cc-exp': 'card_expiry',
}
const MARKS = ['data-encrypt-attribute', 'data-encrypted-attribute']
const MARKED = MARKS.map((name) => `[${name}]`).join()
/** Selector of card inputs on pages that do not use the library's attributes. */
const COMPLETED = '[autocomplete^=cc-]'

/** Elements that a payer can type into. */
export const TYPABLE =
  'iframe,input:not([type]),input[type=text],input[type=tel],input[type=number]'

/** Returns the selector of the card fields of this page. */
const fieldSelector = () => (document.querySelector(MARKED) ? MARKED : COMPLETED)

/**
 * Returns the parameter of a card field; undefined for other elements, and for the holder's name.
 */
export function findCardParameter(element: unknown): string | undefined {
  if (!(element instanceof HTMLInputElement) || !element.matches(fieldSelector())) return undefined
  const [mark = ''] = MARKS.map((name) => element.getAttribute(name)).filter(Boolean)
  const parameter = mark || element.name || PARAMETERS[element.autocomplete]
  return Object.values(PARAMETERS).find((name) => name === parameter)
}

/** Finds the card fields of this page, without the holder's name. */
export const findCardFields = (): HTMLInputElement[] =>
  [...document.querySelectorAll<HTMLInputElement>(fieldSelector())].filter(findCardParameter)

/** Returns an input inside an element that covers a field. */
export function findCoveringInput(field: Element, above: Element | null): Element | null {
  if (!above || above.contains(field) || above.closest('.mondido-dialog')) return null
  const layer = above.closest('form,label') ?? above
  if (layer.contains(field))
    return above.matches(TYPABLE) && !findCardParameter(above) ? above : null
  return above.matches(TYPABLE) ? above : layer.querySelector(TYPABLE)
}

/** Describes an element briefly: `iframe#card`, `input.number`. */
export function describeElement(element: Element): string {
  const name = element.getAttribute('name')
  const [first] = element.classList
  const more = element.id ? `#${element.id}` : name ? `[name=${name}]` : first ? `.${first}` : ''
  return element.localName + more
}
