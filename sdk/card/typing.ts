import { controlsOf } from '../form/controls.ts'
import { parameterOf } from '../form/snapshot.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import {
  findTypedBrand,
  formatExpiry,
  groupNumber,
  moveCaret,
  normalizeDigits,
} from '../shared/typed-card.ts'

const FORMATTERS: ReadonlyMap<string, (text: string) => string> = new Map([
  ['card_number', groupNumber],
  ['card_expiry', formatExpiry],
  ['card_cvv', normalizeDigits],
])

/**
 * Watches the payer's typing: groups digits with option `format`, and reports changes of the card
 * type.
 * @param onBrand receives the service's name of the card type, or null
 */
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
    const formatter = FORMATTERS.get(name)
    if (format && formatter) reformat(input, formatter)
    const found = findTypedBrand(input.value)?.name || null
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

/**
 * Rewrites an input's text and keeps the caret after the same digit. Input types that reject blanks
 * have no caret.
 */
function reformat(input: HTMLInputElement, format: (text: string) => string): void {
  const { value, selectionStart } = input
  const after = format(value)
  if (after === value || selectionStart === null) return
  const caret = moveCaret(after, value, selectionStart)
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}
