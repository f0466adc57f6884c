/**
 * `<a href="javascript:choose()">` runs as it did when no policy of a page knew scripts by their
 * nonce.
 */
export function runScriptAddress(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null
  const [, code] = /^\s*javascript:(.*)$/is.exec(anchor?.getAttribute('href') ?? '') ?? []
  if (code === undefined || event.defaultPrevented) return
  event.preventDefault()
  new Function(decodeURIComponent(code))()
}
