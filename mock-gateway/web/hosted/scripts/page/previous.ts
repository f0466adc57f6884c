import { byId } from './elements.ts'

/** Shows the button that leads to the previous page. A new tab has none. */
export function mountPrevious(): void {
  const button = byId('previous', HTMLButtonElement)
  if (!button) return
  button.hidden = history.length < 2
  button.addEventListener('click', () => history.back())
}
