/** Lower-case hexadecimal text, two digits a byte. */
export function toHex(bytes: Iterable<number>): string {
  let digits = ''
  for (const byte of bytes) digits += (byte + 256).toString(16).slice(1)
  return digits
}

/** Bytes of hexadecimal text, each as a character, as `btoa` wants them. */
export const fromHex = (digits: string): string =>
  digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
