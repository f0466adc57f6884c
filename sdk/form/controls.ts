/** A form control whose value the library can read. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement

/** The controls of a form in document order, also those outside that point to it with `form="id"`. Read through the
 * prototype: a control named `elements` hides the form's own property. By a loop: old libraries put functions of their own
 * in the place of `Array.from`. */
export function controlsOf(form: HTMLFormElement): Control[] {
  const controls: Control[] = []
  const elements: Iterable<unknown> = Reflect.get(HTMLFormElement.prototype, 'elements', form)
  for (const element of elements) if (isControl(element)) controls.push(element)
  return controls
}

const isControl = (element: unknown): element is Control =>
  element instanceof Element && /^(INPUT|SELECT|TEXTAREA|BUTTON)$/.test(element.tagName)

/** A button that submits its form. A form handed over as its own submitter is not one. */
export const isSubmitButton = (element: unknown): element is HTMLButtonElement | HTMLInputElement =>
  isControl(element) && /^(submit|image)$/.test(element.type)

/** Whether the control is disabled, by itself or by a fieldset around it (whose first legend stays enabled). */
export function isDisabled(control: Control): boolean {
  if (control.disabled) return true
  const fieldset = (element: Element | null | undefined) => element?.closest('fieldset[disabled]')
  for (let around = fieldset(control); around; around = fieldset(around.parentElement)) {
    const legend = around.querySelector(':scope > legend')
    if (!legend?.contains(control)) return true
  }
  return false
}

/** The values a control contributes when the form is sent: none when disabled, unchecked or a button. */
export function valuesOf(control: Control): string[] {
  if (isDisabled(control) || /^(submit|image|button|reset|file)$/.test(control.type)) return []
  if (control instanceof HTMLSelectElement) {
    return [...control.options].filter((option) => option.selected && !option.disabled).map((option) => option.value)
  }
  const isTick = control.type === 'checkbox' || control.type === 'radio'
  return isTick && !(control as HTMLInputElement).checked ? [] : [control.value]
}

/** Empties a control after a successful payment. */
export function clearControl(control: Control): void {
  if (control.type === 'checkbox' || control.type === 'radio') (control as HTMLInputElement).checked = false
  else control.value = ''
}
