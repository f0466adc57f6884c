/** Undoes a change of a page. */
export type Undo = () => void

/** Sets an attribute for a while.
 * @returns gives it the value it had before, once and for all */
export function stamp(element: Element, name: string, value: string): Undo {
  const before = element.getAttribute(name)
  element.setAttribute(name, value)
  return () => {
    if (before === null) element.removeAttribute(name)
    else element.setAttribute(name, before)
  }
}
