/** Converts bytes to lower-case hexadecimal text. */
export function toHex(bytes: Iterable<number>): string {
  let digits = ''
  for (const byte of bytes) digits += (byte + 256).toString(16).slice(1)
  return digits
}

/** Converts hexadecimal text to bytes, each as a character for `btoa`. */
export const fromHex = (digits: string): string =>
  digits.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)))
