/** Returns true if some part of a posting form is visible. */
export function isFormSeen(): boolean {
  const forms = [...document.querySelectorAll('form')].filter((form) =>
    /^post$/i.test(form.getAttribute('method') ?? ''),
  )
  return forms.some((form) =>
    [...form.querySelectorAll('input, select, textarea, button')].some(isSeen),
  )
}

/** Returns true if an element takes up room, and is neither hidden nor transparent. */
export function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  const how = { opacityProperty: true, visibilityProperty: true }
  return width > 0 && height > 0 && (element.checkVisibility?.(how) ?? true)
}
