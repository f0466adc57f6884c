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
