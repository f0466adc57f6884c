import { isFormSeen } from './seen.ts'
import { showWayOut } from './way-out.ts'

/** Time limit for the page to show its form, in milliseconds. */
const FORM_MS = 3_000

/**
 * If a script of the page throws, or no form is visible, reports it to the gateway, once of each,
 * and shows a link to the built-in page.
 * @param told address of the report, and the fallback link: see hosted/own-page.ts
 */
export function watch({
  report = '',
  link = '',
  says = '',
  goes = '',
  lang = '',
}: DOMStringMap): void {
  const told = new Set<string>()
  let wayOut: HTMLElement | undefined

  const tell = (
    what: 'page_script' | 'page_form',
    facts: Readonly<Record<string, string>> = {},
  ) => {
    wayOut ??= showWayOut({ link, says, goes, lang })
    if (told.has(what)) return
    told.add(what)
    navigator.sendBeacon(report, new URLSearchParams({ what, ...facts }))
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
    if (told.has('page_script')) return
    wayOut?.remove()
    wayOut = undefined
  }, FORM_MS)
}
