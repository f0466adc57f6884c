// By loops: old libraries put functions of their own in the place of `Array.from`, which then ignore the mapping.

/** Base64 of bytes, on one line. */
export function toBase64(bytes: Uint8Array): string {
  let characters = ''
  for (const byte of bytes) characters += String.fromCharCode(byte)
  return btoa(characters)
}

/** Bytes of base64 text, white space ignored. Throws what `atob` throws when the text is not base64. */
export function fromBase64(text: string): Uint8Array {
  const characters = atob(text.replace(/\s+/g, ''))
  const bytes = new Uint8Array(characters.length)
  for (let index = 0; index < bytes.length; index++) bytes[index] = characters.charCodeAt(index)
  return bytes
}

/** Lower-case hexadecimal text, two digits a byte. */
export function toHex(bytes: Uint8Array): string {
  let digits = ''
  for (const byte of bytes) digits += (byte + 256).toString(16).slice(1)
  return digits
}

/** Bytes of hexadecimal text, two digits a byte. */
export function fromHex(digits: string): Uint8Array {
  const bytes = new Uint8Array(digits.length / 2)
  for (let index = 0; index < bytes.length; index++) bytes[index] = Number.parseInt(digits.substr(index * 2, 2), 16)
  return bytes
}
