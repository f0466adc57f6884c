import type { KeyObject } from 'node:crypto'
import { readBase64, readText } from './encoding.ts'
import { decryptBlock } from './pkcs1.ts'

/**
 * Decrypts one value, base64(RSA PKCS#1 v1.5(base64(UTF-8 text))), with white space allowed in both
 * base64 layers (observed: RSA encryption of parameters). Every value costs exactly one RSA
 * operation.
 * @param value undefined for a value that is not text
 * @returns the plain text, or undefined if a layer is invalid
 */
export function decryptValue(value: string | undefined, privateKey: KeyObject): string | undefined {
  const ciphertext = value === undefined ? undefined : readBase64(value)
  const { message, intact } = decryptBlock(ciphertext, privateKey)
  // Decodes invalid blocks too, so that both cases take the same time.
  const plainText = decodeMessage(message)
  return intact ? plainText : undefined
}

function decodeMessage(message: Buffer): string | undefined {
  const bytes = readBase64(message.toString('latin1'))
  try {
    return bytes && readText(bytes)
  } catch {
    return undefined
  }
}
