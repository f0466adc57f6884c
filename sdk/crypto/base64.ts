/** Base64 of bytes, on one line. */
export const toBase64 = (bytes: Uint8Array): string =>
  btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))

/** Bytes of base64 text, white space ignored. Throws what `atob` throws when the text is not base64. */
export const fromBase64 = (text: string): Uint8Array =>
  Uint8Array.from(atob(text.replace(/\s+/g, '')), (character) => character.charCodeAt(0))

/** Lower-case hexadecimal text, two digits a byte. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
