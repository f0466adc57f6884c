import { type Control, isSubmitButton, listControls } from '../form/controls.ts'
import { createParameter } from '../form/snapshot.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError, MondidoState } from '../types.ts'
import { createMessage, setTemporarily, write } from './elements.ts'

/** Hidden, but read aloud. Set through the style object, which content security policies allow. */
const HIDDEN = 'position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)'

/** Display of a form's state. */
export type FormFace = ReturnType<typeof createFormFace>

/**
 * Creates the display of a form's state, for the eye and for screen readers. It changes no value
 * that the form sends.
 */
export function createFormFace(form: HTMLFormElement) {
  const region = createMessage()
  let lock: Scope | undefined
  let marks: ReturnType<typeof markFields> | undefined
  const face = {
    showState: (state: MondidoState) => form.setAttribute('data-mondido-state', state),
    /** Marks the form as busy, with a class, and its submit buttons as disabled. */
    lock({ lockButtons, busyClass }: Settings) {
      if (lock) return
      const classes = busyClass.split(' ').filter((name) => name && !form.classList.contains(name))
      const buttons = lockButtons ? listControls(form).filter(isSubmitButton) : []
      lock = createScope()
      form.classList.add(...classes)
      lock.add(() => {
        form.classList.remove(...classes)
        if (!form.classList.length) form.removeAttribute('class')
      })
      lock.add(setTemporarily(form, 'aria-busy', 'true'))
      for (const button of buttons) lock.add(setTemporarily(button, 'aria-disabled', 'true'))
    },
    unlock() {
      lock?.end()
      lock = undefined
    },
    /**
     * Announces an error and marks its fields; after a failed check focuses the first of them.
     * @param lang language of the library's and the service's texts
     */
    showError(error: MondidoError, lang: string, settings: Settings) {
      face.clear()
      const spoken = error.code === 'validation.native' ? navigator.language : lang
      marks = markFields(form, error, spoken, settings)
      // The messages next to the fields are already visible.
      face.say(error.message, spoken, settings, !marks.size)
      const [first] = marks.keys()
      if (error.category === 'validation') first?.focus()
    },
    /**
     * Announces a text in the form's live region, inside the form, because a modal dialog silences
     * everything around it. An empty text only creates the region: screen readers only announce
     * changes of existing ones.
     * @param isVisible whether option `showMessages` displays the text
     */
    say(
      text: string,
      lang: string,
      { announce, showMessages }: Settings,
      isVisible: unknown = text,
    ) {
      if (announce) region.setAttribute('role', 'status')
      region.style.cssText = showMessages && isVisible ? '' : HIDDEN
      if ((announce || showMessages) && !form.contains(region)) form.append(region)
      write(region, text, lang)
    },
    /** Removes the last text and the marks of the last error. */
    clear() {
      for (const mark of marks?.values() || []) mark.end()
      marks = undefined
      region.textContent = ''
      region.style.cssText = HIDDEN
    },
    /** Restores the form. */
    remove() {
      face.unlock()
      face.clear()
      region.remove()
      form.removeAttribute('data-mondido-state')
    },
  }
  return face
}

/**
 * Marks the fields of an error, each described by its own message. The mark is removed when the
 * payer fixes the field; the browser's own messages are updated while the payer types.
 * @returns the marks by field, in the order of the error
 */
function markFields(
  form: HTMLFormElement,
  { fields = [], code, attempt }: MondidoError,
  lang: string,
  settings: Settings,
): Map<Control, Scope> {
  const { announce, showMessages, attributes } = settings
  const marks = new Map<Control, Scope>()
  const controls = listControls(form, attributes)
  fields.forEach(({ field, element, message: text }, index) => {
    const control =
      (element as Control) || controls.find((each) => createParameter(each, settings) === field)
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
