import { retype } from '../../../../../sdk/shared/typed-card.ts'

/** Rewrites an input's text and keeps the caret after the same digit. */
export function rewrite(
  input: HTMLInputElement,
  grouped: (text: string) => string,
  inputType?: string,
): void {
  const { value: text, selectionStart } = input
  const [after, caret] = retype(grouped, text, selectionStart ?? text.length, inputType)
  if (after === text) return
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}
