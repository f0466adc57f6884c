/** Shows or hides what a page of old hides by a style or the class `hidden`. */
export function show(selector: string, isShown = true): void {
  for (const element of document.querySelectorAll<HTMLElement>(selector)) {
    element.classList.toggle('hidden', !isShown)
    element.style.display = isShown ? '' : 'none'
  }
}

/** Says something in the page's place for it, or in a window where it has none (observed: 11.5). */
export function tell(text: string): void {
  const place = document.getElementById('errors')
  if (place) {
    place.textContent = text
    place.setAttribute('role', 'alert')
    show('#errors')
  } else alert(text)
}
