/** A form control with a value, or another annotated element. */
export type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement | HTMLButtonElement

/**
 * Returns the controls of a form in document order, also controls outside that refer to it with
 * `form="id"`. Reads the prototype's property, because a control named `elements` hides the form's
 * own. Uses a loop, because old libraries replace `Array.from`.
 * @param marks attributes whose elements count too, such as custom elements, after the controls
 */
export function listControls(form: HTMLFormElement, marks: readonly string[] = []): Control[] {
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

/** Returns the name that a control is sent with; empty for none. */
export const getName = (control: Control): string =>
  control.name || control.getAttribute('name') || ''

/** Returns true for a submit button; pages may pass anything as the submitter. */
export const isSubmitButton = (element: unknown): element is HTMLButtonElement | HTMLInputElement =>
  isControl(element) && /^(submit|image)$/.test(element.type)

/** Returns true if the control is disabled neither by itself nor by a fieldset. */
export const isEnabled = (control: Control): boolean => !control.matches(':disabled')

/** Returns true for a control with a tick and a fixed value. */
const isTick = (control: Control): control is HTMLInputElement =>
  /^(checkbox|radio)$/.test(control.type)

/**
 * Returns the values that an enabled control adds to the submission: none if it is unchecked or a
 * button. Another element has its form value, else its `value`; undefined if that is not text.
 * @param sent the values that the browser would send
 */
export function listValues(control: Control, sent: FormData): string[] | undefined {
  if (/^(submit|image|button|reset|file)$/.test(control.type)) return []
  if (!isControl(control)) {
    const { value }: { value?: unknown } = control
    const given = sent.getAll(getName(control)).filter((each) => typeof each === 'string')
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
