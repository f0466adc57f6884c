import { byId } from './elements.ts'

/** Adds a button to print a receipt. */
export function mountPrint(): void {
  const button = byId('print', HTMLButtonElement)
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => print())
}
