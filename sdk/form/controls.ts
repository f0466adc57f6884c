/**
 * A form control whose value the library can read; where marks are asked for also another element
 * that bears one.
 */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement

/**
 * The controls of a form in document order, also those outside that point to it with `form="id"`.
 * Read through the prototype: a control named `elements` hides the form's own property. By a loop:
 * old libraries put functions of their own in the place of `Array.from`.
 * @param marks attributes whose bearers count too, custom elements for example, behind the others
 */
export function controlsOf(form: HTMLFormElement, marks: readonly string[] = []): Control[] {
  const controls: Control[] = []
  const elements: Iterable<unknown> = Reflect.get(HTMLFormElement.prototype, 'elements', form)
  for (const element of elements) if (isControl(element)) controls.push(element)
  const selector = marks.map((mark) => `[${mark}]`).join()
  const marked = selector ? (form.getRootNode() as ParentNode).querySelectorAll(selector) : []
  for (const element of marked) {
    const owner = element.getAttribute('form')
    const isOurs = owner === null ? form.contains(element) : owner === form.getAttribute('id')
    if (isOurs && !isControl(element)) controls.push(element as Control)
  }
  return controls
}

const isControl = (element: unknown): element is Control =>
  element instanceof Element && element.matches('input,select,textarea,button')

/** The name a control is sent under; empty for none. */
export const nameOf = (control: Control): string =>
  control.name || control.getAttribute('name') || ''

/** A button that submits its form. A form handed over as its own submitter is not one. */
export const isSubmitButton = (element: unknown): element is HTMLButtonElement | HTMLInputElement =>
  isControl(element) && /^(submit|image)$/.test(element.type)

/** What a disabled fieldset disables: everything in it but its first legend. */
const DISABLED = 'fieldset[disabled] > :not(legend), fieldset[disabled] > legend ~ legend'

/** Whether the control is disabled, by itself or by a fieldset around it. */
export const isDisabled = (control: Control): boolean =>
  control.disabled || !!control.closest(DISABLED)

/** Whether the control is ticked or not, and its value stays. */
const isTick = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type)

/**
 * The values a control contributes when the form is sent: none when disabled, unchecked or a
 * button. Another element has the value it gives the form, else its `value`; undefined when that is
 * no text.
 * @param sent what the browser would send
 */
export function valuesOf(control: Control, sent: FormData): string[] | undefined {
  if (isDisabled(control) || /^(submit|image|button|reset|file)$/.test(control.type)) return []
  if (!isControl(control)) {
    const { value }: { value?: unknown } = control
    const given = sent.getAll(nameOf(control)).filter((each) => typeof each === 'string')
    return given.length ? given : typeof value === 'string' ? [value] : undefined
  }
  if (control instanceof HTMLSelectElement) {
    return [...control.options]
      .filter((option) => option.selected && !option.disabled)
      .map((option) => option.value)
  }
  return isTick(control) && !control.checked ? [] : [control.value]
}

/** Empties a control after a successful payment. */
export function clearControl(control: Control): void {
  if (isTick(control)) control.checked = false
  else control.value = ''
}
