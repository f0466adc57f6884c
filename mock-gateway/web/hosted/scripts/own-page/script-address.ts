/** Runs `<a href="javascript:choose()">`, which a policy with nonces blocks. */
export function runScriptAddress(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null
  const [, code] = /^\s*javascript:(.*)$/is.exec(anchor?.getAttribute('href') ?? '') ?? []
  if (code === undefined || event.defaultPrevented) return
  event.preventDefault()
  new Function(decodeURIComponent(code))()
}
