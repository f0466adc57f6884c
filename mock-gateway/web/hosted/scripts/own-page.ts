/** Runs `<a href="javascript:choose()">`, which a policy with nonces blocks. */
function runScriptAddress(event: MouseEvent): void {
  const anchor = event.target instanceof Element ? event.target.closest('a[href]') : null
  const [, code] = /^\s*javascript:(.*)$/is.exec(anchor?.getAttribute('href') ?? '') ?? []
  if (code === undefined || event.defaultPrevented) return
  event.preventDefault()
  new Function(decodeURIComponent(code))()
}

/** Returns true if some part of a posting form is visible. */
const isFormSeen = (): boolean =>
  [...document.querySelectorAll('form[method=post i] :is(input, select, textarea, button)')].some(
    isSeen,
  )

/** Returns true if an element takes up room, and is neither hidden nor transparent. */
function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  const how = { opacityProperty: true, visibilityProperty: true }
  return width > 0 && height > 0 && (element.checkVisibility?.(how) ?? true)
}

const BAR =
  'all: initial !important; display: block !important; position: relative !important; z-index: 2147483647 !important; ' +
  'box-sizing: border-box !important; padding: 12px 16px !important; border-bottom: 1px solid #b45309 !important; ' +
  'background: #fef3c7 !important; color: #1f2937 !important; font: 16px/1.5 system-ui, sans-serif !important'

const SEEN = ';display: block !important; visibility: visible !important; opacity: 1 !important'

/** Shows the link above the page, isolated from its styles, even if the page is invisible. */
function showWayOut({ link = '', says = '', goes = '', lang = '' }: DOMStringMap): HTMLElement {
  const { documentElement: root, body } = document
  const bar = document.createElement('aside')
  bar.lang = lang
  bar.style.cssText = BAR
  const anchor = document.createElement('a')
  anchor.href = link
  anchor.textContent = goes
  anchor.style.cssText = 'color: #1d4ed8; font-weight: 600; text-decoration: underline'
  bar.attachShadow({ mode: 'open' }).append(says, ' ', anchor)
  root.insertBefore(bar, body)
  if (!isSeen(bar)) root.style.cssText += SEEN
  return bar
}

/** Time limit for the page to show its form, in milliseconds. */
const FORM_MS = 3_000

/**
 * If a script of the page throws, or no form is visible, reports it to the gateway, once of each,
 * and shows a link to the built-in page.
 * @param told address of the report, and the fallback link: see hosted/own-page.ts
 */
function watch(told: DOMStringMap): void {
  const reported = new Set<string>()
  let wayOut: HTMLElement | undefined

  const tell = (
    what: 'page_script' | 'page_form',
    facts: Readonly<Record<string, string>> = {},
  ) => {
    wayOut ??= showWayOut(told)
    if (reported.has(what)) return
    reported.add(what)
    navigator.sendBeacon(told.report ?? '', new URLSearchParams({ what, ...facts }))
  }

  const onError = ({ target, message, filename, lineno }: ErrorEvent) => {
    if (target instanceof HTMLScriptElement) return tell('page_script', { file: target.src })
    // Ignores other resources that failed to load, browsers' warnings about layout, and scripts of
    // extensions.
    if (target !== window || /ResizeObserver/.test(message) || /^\w+-extension:/.test(filename))
      return
    tell('page_script', {
      message,
      file: filename === location.href ? '' : filename,
      line: String(lineno),
    })
  }
  addEventListener('error', onError, true)
  addEventListener('unhandledrejection', ({ reason }) =>
    tell('page_script', { message: String(reason) }),
  )

  const timer = setInterval(() => {
    if (!isFormSeen()) return tell('page_form')
    clearInterval(timer)
    if (reported.has('page_script')) return
    wayOut?.remove()
    wayOut = undefined
  }, FORM_MS)
}

/*
 * Watches a merchant's own page for errors. It changes nothing on the page, because old scripts
 * depend on its contents.
 */

const script = document.currentScript
if (script) watch(script.dataset)
script?.remove()
addEventListener('click', runScriptAddress)
