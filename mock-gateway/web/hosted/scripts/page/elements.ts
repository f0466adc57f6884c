import { retype } from '../../../../../sdk/shared/typed-card.ts'

/** Finds an element by its id, if it has this type. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind | null {
  const found = document.getElementById(id)
  return found instanceof kind ? found : null
}

/** Sets an attribute; an empty value removes it. */
export function setAttribute(element: Element, name: string, value: string): void {
  if (value === '') element.removeAttribute(name)
  else element.setAttribute(name, value)
}

/**
 * Opens the page again at its own address, without a fragment. A reload could send the form of a
 * posted page again, and with it the card.
 */
export function openAgain(): void {
  const inPlace = byId('in-place', HTMLFormElement)
  if (inPlace) inPlace.submit()
  else location.replace(location.pathname + location.search)
}

/** Rewrites an input's text and keeps the caret after the same digit. */
export function rewrite(
  input: HTMLInputElement,
  grouped: (text: string) => string,
  inputType?: string,
): void {
  const { value: text, selectionStart } = input
  const [after, caret] = retype(grouped, text, selectionStart ?? text.length, inputType)
  if (after === text) return
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}
