import { listControls } from '../form/controls.ts'
import { createParameter } from '../form/snapshot.ts'
import type { Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import {
  findTypedBrand,
  formatExpiry,
  groupNumber,
  normalizeDigits,
  retype,
} from '../shared/typed-card.ts'
import { setTemporarily } from '../ui/elements.ts'

/** Formats of parameters, and the length of the longest formatted text. */
const FORMATS: ReadonlyMap<string, readonly [(text: string) => string, longest: number]> = new Map([
  ['card_number', [groupNumber, 23]],
  ['card_expiry', [formatExpiry, 9]],
  ['card_cvv', [normalizeDigits, 0]],
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
  const look = (input: unknown, inputType?: string) => {
    const { format, validate, attributes } = readSettings()
    if (!(input instanceof HTMLInputElement) || !(format || validate === 'card')) return
    const name = createParameter(input, { attributes })
    const [formatter, longest = 0] = FORMATS.get(name) || []
    if (format && formatter) {
      const { maxLength, value, selectionStart } = input
      if (maxLength >= 0 && maxLength < longest)
        scope.add(setTemporarily(input, 'maxlength', `${longest}`))
      const [after, caret] = retype(formatter, value, selectionStart ?? 0, inputType)
      // Input types that reject blanks have no caret.
      if (after !== value && selectionStart !== null) {
        input.value = after
        if (document.activeElement === input) input.setSelectionRange(caret, caret)
      }
    }
    const found = findTypedBrand(input.value)?.name || null
    if (name !== 'card_number' || found === brand) return
    brand = found
    onBrand(brand)
  }
  for (const type of ['input', 'change', 'compositionend']) {
    scope.listen(form, type, (event) => {
      const { isComposing, inputType, target } = event as InputEvent
      if (!isComposing) look(target, inputType)
    })
  }
  for (const control of listControls(form)) look(control)
}
