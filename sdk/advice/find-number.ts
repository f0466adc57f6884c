import { luhn } from '../shared/typed-card.ts'

/** Returns true for digits that can be a card number. */
export const isCardNumber = (digits: string): boolean => /^\d{13,19}$/.test(digits) && luhn(digits)

export const digitsOf = (text: string): string => text.replace(/\D/g, '')
const backwards = (text: string): string => [...text].reverse().join('')

/** Returns the readings of a text: percent-encoded, base64, hexadecimal, and character codes. */
function* decoded(text: string): Iterable<string> {
  if (/%[\da-f]/i.test(text))
    yield text.replace(/%([\da-f][\da-f])/gi, (_all, code) => String.fromCharCode(hex(code)))
  for (const run of text.match(/[\w+-]{16,}/g) ?? []) {
    const standard = run.replace(/-/g, '+').replace(/_/g, '/')
    // Tries all four offsets, because the start of a base64 group is unknown.
    for (const start of [0, 1, 2, 3])
      yield atob(standard.slice(start, run.length - ((run.length - start) % 4 === 1 ? 1 : 0)))
    if (/^[\da-f]+$/i.test(run)) yield run.replace(/../g, (code) => String.fromCharCode(hex(code)))
  }
  const codes = text.match(/\d+/g) ?? []
  if (codes.length > 12) yield String.fromCharCode(...codes.map(Number))
}

const hex = (code: string): number => Number.parseInt(code, 16)

/** Returns true if a text contains a number, also encoded up to `depth` times. */
export function hasNumber(text: string, number: string, depth = 3): boolean {
  const digits = digitsOf(text)
  if (digits.includes(number) || digits.includes(backwards(number))) return true
  if (depth === 0) return false
  for (const each of decoded(text)) if (hasNumber(each, number, depth - 1)) return true
  return false
}
