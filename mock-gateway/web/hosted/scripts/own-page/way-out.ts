import { isSeen } from './seen.ts'

/** The fallback link to the built-in page, and its text. */
interface WayOut {
  readonly link: string
  readonly says: string
  readonly goes: string
  readonly lang: string
}

const BAR =
  'all: initial !important; display: block !important; position: relative !important; z-index: 2147483647 !important; ' +
  'box-sizing: border-box !important; padding: 12px 16px !important; border-bottom: 1px solid #b45309 !important; ' +
  'background: #fef3c7 !important; color: #1f2937 !important; font: 16px/1.5 system-ui, sans-serif !important'

const SEEN = ';display: block !important; visibility: visible !important; opacity: 1 !important'

/** Shows the link above the page, isolated from its styles, even if the page is invisible. */
export function showWayOut({ link, says, goes, lang }: WayOut): HTMLElement {
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
