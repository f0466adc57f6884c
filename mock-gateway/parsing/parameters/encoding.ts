import { isAscii, isUtf8 } from 'node:buffer'
import { badFormat, GatewayError } from '../../domain/errors/errors.ts'

/**
 * Decodes UTF-8 strictly: rejects overlong forms and surrogates, and replaces nothing.
 * @throws GatewayError errors.encoding.invalid if the bytes are not UTF-8;
 *   errors.request.bad_format for a NUL character, which PostgreSQL cannot store
 */
export function readText(bytes: Buffer): string {
  if (isAscii(bytes)) return rejectNul(bytes.toString('latin1'))
  if (!isUtf8(bytes)) throw createEncodingError()
  return rejectNul(bytes.toString('utf8'))
}

/**
 * Decodes text with one character for each byte, as Node returns addresses and headers.
 * @throws GatewayError the errors of `readText`; errors.encoding.invalid also for a character that
 *   is not a byte
 */
export function readByteText(characters: string): string {
  const bytes = Buffer.from(characters, 'latin1')
  if (bytes.toString('latin1') !== characters) throw createEncodingError()
  return readText(bytes)
}

/**
 * Decodes `application/x-www-form-urlencoded` text: `%20` and `+` are blanks, the rest is
 * percent-encoded UTF-8.
 * @throws GatewayError errors.encoding.invalid for `%zz`, `%F` and octets that are not UTF-8;
 *   errors.request.bad_format for an encoded NUL character
 */
export function percentDecode(text: string): string {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return rejectNul(decodeURIComponent(text.replaceAll('+', ' ')))
  } catch (error) {
    throw error instanceof URIError ? createEncodingError(error) : error
  }
}

/**
 * Decodes standard base64 with padding. White space and line breaks are allowed everywhere
 * (observed: RSA encryption of parameters); the URL-safe alphabet and missing padding are not.
 * @returns undefined if it is not base64
 */
export function readBase64(text: string): Buffer | undefined {
  const compact = text.replace(/[ \t\r\n]+/g, '')
  const bytes = Buffer.from(compact, 'base64')
  // Node skips invalid characters; only canonical text is the same after encoding it again.
  return bytes.toString('base64') === compact ? bytes : undefined
}

/**
 * Checks a text for invalid characters that JSON escapes can produce.
 * @throws GatewayError errors.encoding.invalid for half a surrogate pair; errors.request.bad_format
 *   for a NUL character
 */
export function checkUnicode(text: string): string {
  if (!text.isWellFormed()) throw createEncodingError()
  return rejectNul(text)
}

function rejectNul(text: string): string {
  if (text.includes('\0')) throw badFormat('NUL characters are not accepted in any parameter.')
  return text
}

function createEncodingError(cause?: unknown): GatewayError {
  return new GatewayError('errors.encoding.invalid', {
    explain:
      'Names and values must be UTF-8, percent-encoded in queries and forms as %XX with two hexadecimal digits.',
    cause,
  })
}
