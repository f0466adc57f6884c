/** Shows or hides an element of an old page by its style or the class `hidden`. */
export function show(selector: string, isShown = true): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    element.classList.toggle('hidden', !isShown)
    element.style.display = isShown ? '' : 'none'
  }
}

/**
 * Shows a text in the page's place for messages, or in a dialog if it has none (observed: 11.5).
 */
export function tell(text: string): void {
  const place = document.getElementById('errors')
  if (place) {
    place.textContent = text
    place.setAttribute('role', 'alert')
    show('#errors')
  } else alert(text)
}
