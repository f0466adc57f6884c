import { encode } from 'uqr'

/** White modules around the code, required by readers (ISO/IEC 18004). */
const BORDER = 4

/** A QR code as an SVG picture. */
export interface QrCode {
  /** Modules on each side. */
  readonly size: number
  /** The dark modules, as the `d` of a path. */
  readonly path: string
}

/** Longest address that a camera can read from a screen (our decision). */
const LONGEST = 500

/** @param text for example an address. @returns undefined if it is too long */
export function qrCodeOf(text: string): QrCode | undefined {
  if (text.length > LONGEST) return undefined
  const { size, data } = encode(text, { ecc: 'M', border: BORDER })
  const dark = data.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])),
  )
  return { size, path: dark.join('') }
}
