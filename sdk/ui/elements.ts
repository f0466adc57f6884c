/** Creates an element with these properties. */
export const createElement = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]>,
): HTMLElementTagNameMap[Name] => Object.assign(document.createElement(name), properties)

/** Restores a page's state. */
export type Undo = () => void

const setAttribute = (element: Element, name: string, value: string | null): void =>
  value === null ? element.removeAttribute(name) : element.setAttribute(name, value)

/**
 * Sets an attribute temporarily; null removes it.
 * @returns a function that restores its previous value, once
 */
export function setTemporarily(element: Element, name: string, value: string | null): Undo {
  const before = element.getAttribute(name)
  setAttribute(element, name, value)
  return () => setAttribute(element, name, before)
}

/** Creates an element for one text to the payer; pages style it by its class. */
export const createMessage = (): HTMLElement =>
  createElement('div', { className: 'mondido-message' })

/** Sets the text of a message. */
export function write(message: HTMLElement, text: string, lang: string): void {
  message.lang = lang
  message.textContent = text
}
