import { controlsOf } from '../form/controls.ts'
import { parameterOf } from '../form/snapshot.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import { brandOf, cardDigits } from './card.ts'

/** How digits of these types are grouped; others are in groups of four. */
const GROUPS: Readonly<Record<string, RegExp>> = {
  amex: /^(\d{4})(\d{1,6})(\d*)$/,
  diners: /^(\d{4})(\d{1,6})(\d*)$/,
}

/** A card number in groups, `4111 1111 1111 1111`; nothing is cut off, other text than a number stays. */
export function formatNumber(text: string): string {
  const digits = cardDigits(text)
  if (!/^\d+$/.test(digits)) return text
  const groups = GROUPS[brandOf(digits)?.name ?? '']?.exec(digits)?.slice(1) ?? digits.match(/\d{1,4}/g) ?? []
  return groups.join(' ').trim()
}

/** An expiry as `MM / YY`, also while it is being typed. */
export function formatExpiry(text: string): string {
  const digits = text
    .normalize('NFKC')
    .replace(/^\s*([2-9]|\d(?=\s*\/))/, '0$1')
    .replace(/[\s/]/g, '')
  return /^\d+$/.test(digits) ? digits.replace(/^(\d\d)(\d+)$/, '$1 / $2') : text
}

const FORMATTERS: Readonly<Record<string, (text: string) => string>> = {
  card_number: formatNumber,
  card_expiry: formatExpiry,
  card_cvv: cardDigits,
}

/** Follows the payer's typing: groups digits with option `format`, tells when the card type changes.
 * @param onBrand gets the service's word for the card type, or null */
export function watchTyping(
  form: HTMLFormElement,
  scope: Scope,
  readSettings: () => Settings,
  onBrand: (brand: string | null) => void,
): void {
  let brand: string | null = null
  const look = (input: unknown) => {
    const { format, validate, attributes } = readSettings()
    if (!(input instanceof HTMLInputElement) || !(format || validate === 'card')) return
    const name = parameterOf(input, { attributes })
    const formatter = FORMATTERS[name]
    // Other types refuse blanks or have no caret.
    if (format && formatter && /^(text|tel|search|password)$/.test(input.type)) reformat(input, formatter)
    const found = brandOf(input.value)?.name ?? null
    if (name !== 'card_number' || found === brand) return
    brand = found
    onBrand(brand)
  }
  for (const type of ['input', 'change', 'compositionend']) {
    scope.listen(form, type, (event) => {
      if (!(event as InputEvent).isComposing) look(event.target)
    })
  }
  controlsOf(form).forEach(look)
}

/** Rewrites an input's text and keeps the caret behind the same digit. */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const before = input.value
  const after = format(before)
  if (after === before) return
  const caret = input.selectionStart ?? before.length
  const digits = before.slice(0, caret).replace(/\D/g, '').length
  input.value = after
  if (document.activeElement !== input) return
  const position = caret < before.length ? (RegExp(`^(\\D*\\d){${digits}}`).exec(after)?.[0].length ?? 0) : after.length
  input.setSelectionRange(position, position)
}
