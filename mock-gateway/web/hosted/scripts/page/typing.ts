import { moveCaret } from '../../../../../sdk/shared/typed-card.ts'

/** Rewrites an input's text and keeps the caret after the same digit. */
export function rewrite(input: HTMLInputElement, grouped: (text: string) => string): void {
  const text = input.value
  const after = grouped(text)
  if (after === text) return
  const caret = moveCaret(after, text, input.selectionStart ?? text.length)
  input.value = after
  if (document.activeElement === input) input.setSelectionRange(caret, caret)
}
