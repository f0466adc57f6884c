import { controlsOf, isSubmitButton } from '../form/controls.ts'
import { parameterOf } from '../form/snapshot.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError, MondidoState } from '../types.ts'
import { LIVE_REGION_ID, say } from './live-region.ts'
import { stamp, type Undo } from './stamp.ts'

/** What the payer sees and hears of a form's state. It changes nothing that the form would send. */
export interface FormFace {
  showState(state: MondidoState): void
  /** Shows that the form is busy: `aria-busy` and a class on the form, `aria-disabled` on its submit buttons. */
  lock(settings: Settings): void
  unlock(): void
  /** Marks the fields of an error with `aria-invalid` and a pointer to the live region that says the text; after a
   * failed check moves to the first of them. */
  showError(error: MondidoError, settings: Settings): void
  say(text: string, settings: Settings): void
  /** Takes the marks of the last error away. */
  clear(): void
  /** Leaves the form as it was found. */
  remove(): void
}

/** The face of one form. */
export function createFormFace(form: HTMLFormElement): FormFace {
  let lock: Undo[] = []
  let marks: Undo[] = []
  const undo = (list: Undo[]) => {
    for (const each of list.reverse()) each()
    return []
  }
  const face: FormFace = {
    showState: (state) => form.setAttribute('data-mondido-state', state),
    lock({ lockButtons, busyClass }) {
      if (lock.length) return
      const classes = busyClass.split(' ').filter((name) => name && !form.classList.contains(name))
      const buttons = lockButtons ? controlsOf(form).filter(isSubmitButton) : []
      form.classList.add(...classes)
      lock = [
        () => {
          form.classList.remove(...classes)
          if (!form.classList.length) form.removeAttribute('class')
        },
        stamp(form, 'aria-busy', 'true'),
        ...buttons.map((button) => stamp(button, 'aria-disabled', 'true')),
      ]
    },
    unlock() {
      lock = undo(lock)
    },
    showError(error, settings) {
      face.clear()
      const controls = controlsOf(form, settings.attributes)
      for (const { field, element } of error.fields ?? []) {
        const control = element ?? controls.find((each) => parameterOf(each, settings) === field)
        if (!control) continue
        if (error.category === 'validation' && !marks.length) (control as HTMLElement).focus()
        marks.push(stamp(control, 'aria-invalid', 'true'))
        const described = control.getAttribute('aria-describedby') ?? ''
        if (settings.announce) marks.push(stamp(control, 'aria-describedby', `${described} ${LIVE_REGION_ID}`.trim()))
      }
      face.say(error.message, settings)
    },
    say(text, settings) {
      if (settings.announce) say(text)
    },
    clear() {
      marks = undo(marks)
    },
    remove() {
      face.unlock()
      face.clear()
      form.removeAttribute('data-mondido-state')
    },
  }
  return face
}
