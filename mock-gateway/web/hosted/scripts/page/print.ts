import { byId } from './elements.ts'

/** Offers to print a receipt. */
export function mountPrint(): void {
  const button = byId('print', HTMLButtonElement)
  if (!button) return
  button.hidden = false
  button.addEventListener('click', () => print())
}
