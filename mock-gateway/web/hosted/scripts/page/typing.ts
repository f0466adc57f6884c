import { brandTyped, plainDigits } from '../../../../contract/typed-card.ts'

/** How digits of these brands are grouped; others are in groups of four. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  amex: /^(\d{4})(\d{1,6})(\d*)$/,
  diners: /^(\d{4})(\d{1,6})(\d*)$/,
}

/** A card number in groups, `4111 1111 1111 1111`; nothing is cut off, other text than a number stays. */
export function groupedNumber(text: string): string {
  const digits = plainDigits(text)
  if (!/^\d+$/.test(digits)) return text
  const groups = GROUPS[brandTyped(digits) ?? '']?.exec(digits)?.slice(1) ?? digits.match(/\d{1,4}/g) ?? []
  return groups.join(' ').trim()
}

/** An expiry as `MM / YY` while it is typed; what autofill writes otherwise stays as it is. */
export function groupedExpiry(text: string): string {
  const digits = text
    .normalize('NFKC')
    .replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
    .replace(/[\s/]/g, '')
  return /^\d{1,4}$/.test(digits) ? digits.replace(/^(\d\d)(\d+)$/, '$1 / $2') : text
}

/** Rewrites an input's text and keeps the caret behind the same digit. */
export function rewrite(input: HTMLInputElement, grouped: (text: string) => string): void {
  const before = input.value
  const after = grouped(before)
  if (after === before) return
  const caret = input.selectionStart ?? before.length
  const digits = before.slice(0, caret).replace(/\D/g, '').length
  input.value = after
  if (document.activeElement !== input) return
  const position = caret < before.length ? (RegExp(`^(\\D*\\d){${digits}}`).exec(after)?.[0].length ?? 0) : after.length
  input.setSelectionRange(position, position)
}
