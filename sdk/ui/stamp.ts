/** Restores a page's state. */
export type Undo = () => void

/**
 * Sets an attribute temporarily.
 * @returns a function that restores its previous value, once
 */
export function setTemporarily(element: Element, name: string, value: string): Undo {
  const before = element.getAttribute(name)
  element.setAttribute(name, value)
  return () => {
    if (before === null) element.removeAttribute(name)
    else element.setAttribute(name, before)
  }
}
