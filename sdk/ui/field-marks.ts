import { type Control, controlsOf } from '../form/controls.ts'
import { parameterOf } from '../form/snapshot.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError } from '../types.ts'
import { createMessage, setTemporarily, write } from './elements.ts'

/**
 * Marks the fields of an error, each described by its own message. The mark is removed when the
 * payer fixes the field; the browser's own messages are updated while the payer types.
 * @returns the marks by field, in the order of the error
 */
export function markFields(
  form: HTMLFormElement,
  { fields = [], code, attempt }: MondidoError,
  lang: string,
  settings: Settings,
): Map<Control, Scope> {
  const { announce, showMessages, attributes } = settings
  const marks = new Map<Control, Scope>()
  const controls = controlsOf(form, attributes)
  fields.forEach(({ field, element, message: text }, index) => {
    const control =
      (element as Control) || controls.find((each) => parameterOf(each, settings) === field)
    if (!control) return
    const mark = marks.get(control) || createScope()
    marks.set(control, mark)
    mark.add(setTemporarily(control, 'aria-invalid', 'true'))
    const message = createMessage()
    write(message, text, lang)
    mark.listen(control, 'input', () => {
      message.textContent = code === 'validation.native' ? control.validationMessage : ''
      if (!message.textContent) mark.end()
    })
    if (!announce && !showMessages) return
    message.id = `mondido-${attempt}-${index}`
    message.hidden = !showMessages
    if (showMessages) (control.closest('label') || control).after(message)
    else form.append(message)
    mark.add(() => message.remove())
    const described = control.getAttribute('aria-describedby') || ''
    mark.add(setTemporarily(control, 'aria-describedby', `${described} ${message.id}`.trim()))
  })
  return marks
}
