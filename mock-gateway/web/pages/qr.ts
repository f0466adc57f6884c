import { encode } from 'uqr'
import { html, type SafeHtml } from './html.ts'

/** White modules around the code, required by readers (ISO/IEC 18004). */
const BORDER = 4

/** A QR code as the parts of an SVG picture. */
interface QrCode {
  /** Modules on each side. */
  readonly size: number
  /** The dark modules, as the `d` of a path. */
  readonly path: string
}

/** Longest address that a camera can read from a screen (our decision). */
const LONGEST = 500

/** @param text for example an address. @returns undefined if it is too long */
export function createQrCode(text: string): QrCode | undefined {
  if (text.length > LONGEST) return undefined
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: dark.join('') }
}

/**
 * Draws a QR code that a camera can scan. @param width in pixels. @returns null if the text is too
 * long
 */
export function renderQrPicture(text: string, label: string, width: number): SafeHtml | null {
  const code = createQrCode(text)
  if (!code) return null
  const { size, path } = code
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" width="${width}" height="${width}"
  role="img" aria-label="${label}" shape-rendering="crispEdges">
<path fill="#fff" d="M0 0h${size}v${size}H0z"/>
<path fill="#000" d="${path}"/></svg>`
}
