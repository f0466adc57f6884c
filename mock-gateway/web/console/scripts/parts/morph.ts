/** Returns the key of a list's element, independent of its position. */
export function getKey(node: Node | null): string | undefined {
  if (!(node instanceof Element)) return undefined
  const key = node.id || node.getAttribute('data-key')
  if (key) return key
  return node.tagName === 'TR'
    ? (node.querySelector('td a')?.getAttribute('href') ?? undefined)
    : undefined
}

/** Attributes set by the reader: open details stay open, typed values stay. */
const OF_READERS: readonly string[] = ['open', 'value', 'checked']

/**
 * Changes one element into another and leaves equal parts alone, so that focus, open details, typed
 * text and the scroll position stay.
 * @param onNew receives each new element with a key
 */
export function morph(from: Element, to: Element, onNew: (made: Element) => void): void {
  for (const { name } of [...from.attributes])
    if (!to.hasAttribute(name) && !OF_READERS.includes(name)) from.removeAttribute(name)
  for (const { name, value } of to.attributes)
    if (
      from.getAttribute(name) !== value &&
      !(OF_READERS.includes(name) && from.hasAttribute(name))
    )
      if (name !== 'open') from.setAttribute(name, value)
  morphChildren(from, to, onNew)
}

function morphChildren(from: Element, to: Element, onNew: (made: Element) => void): void {
  const keyed = new Map([...from.children].map((each) => [getKey(each), each]))
  let at = from.firstChild
  for (const wanted of [...to.childNodes]) {
    const key = getKey(wanted)
    const match: Node | null | undefined =
      key === undefined ? (isAlike(at, wanted) ? at : null) : keyed.get(key)
    if (!match) {
      from.insertBefore(wanted, at)
      if (wanted instanceof Element && key !== undefined) onNew(wanted)
      continue
    }
    if (match === at) at = at.nextSibling
    else from.insertBefore(match, at)
    if (match instanceof Element && wanted instanceof Element) morph(match, wanted, onNew)
    else if (match.nodeValue !== wanted.nodeValue) match.nodeValue = wanted.nodeValue
  }
  while (at) {
    const next = at.nextSibling
    from.removeChild(at)
    at = next
  }
}

const isAlike = (one: Node | null, other: Node): boolean =>
  one !== null && getKey(one) === undefined && one.nodeName === other.nodeName
