import { byId } from './elements.ts'

/** Shows the button that leads to the previous page, if there is one. */
export function mountPrevious(): void {
  const button = byId('previous', HTMLButtonElement)
  if (!button) return
  button.hidden = history.length < 2
  button.addEventListener('click', () => history.back())
}
