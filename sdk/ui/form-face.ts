import { controlsOf, isSubmitButton } from '../form/controls.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError, MondidoState } from '../types.ts'
import { markFields } from './field-marks.ts'
import { createLiveRegion } from './live-region.ts'
import { stamp } from './stamp.ts'

/** What the payer sees and hears of a form's state. It changes nothing that the form would send. */
export interface FormFace {
  showState(state: MondidoState): void
  /**
   * Shows that the form is busy: `aria-busy` and a class on the form, `aria-disabled` on its submit
   * buttons.
   */
  lock(settings: Settings): void
  unlock(): void
  /** Says an error and marks its fields; after a failed check moves to the first of them.
   * @param lang language of the library's and the service's texts */
  showError(error: MondidoError, lang: string, settings: Settings): void
  /**
   * Says a text in the form's live region, which is there from the first call on; with option
   * `showMessages` it is drawn.
   */
  say(text: string, lang: string, settings: Settings): void
  /** Takes the last text and the marks of the last error away. */
  clear(): void
  /** Leaves the form as it was found. */
  remove(): void
}

/** The face of one form. */
export function createFormFace(form: HTMLFormElement): FormFace {
  const region = createLiveRegion(form)
  let lock: Scope | undefined
  let marks: ReturnType<typeof markFields> | undefined
  const face: FormFace = {
    showState: (state) => form.setAttribute('data-mondido-state', state),
    lock({ lockButtons, busyClass }) {
      if (lock) return
      const classes = busyClass.split(' ').filter((name) => name && !form.classList.contains(name))
      const buttons = lockButtons ? controlsOf(form).filter(isSubmitButton) : []
      lock = createScope()
      form.classList.add(...classes)
      lock.add(() => {
        form.classList.remove(...classes)
        if (!form.classList.length) form.removeAttribute('class')
      })
      lock.add(stamp(form, 'aria-busy', 'true'))
      for (const button of buttons) lock.add(stamp(button, 'aria-disabled', 'true'))
    },
    unlock() {
      lock?.end()
      lock = undefined
    },
    showError(error, lang, settings) {
      face.clear()
      const spoken = error.code === 'validation.native' ? navigator.language : lang
      marks = markFields(form, error, spoken, settings)
      // Beside the fields the payer sees it already.
      region.say(error.message, spoken, settings, !marks.size)
      const [first] = marks.keys()
      if (error.category === 'validation') first?.focus()
    },
    say: (text, lang, settings) => region.say(text, lang, settings, text),
    clear() {
      for (const mark of marks?.values() || []) mark.end()
      marks = undefined
      region.clear()
    },
    remove() {
      face.unlock()
      face.clear()
      region.remove()
      form.removeAttribute('data-mondido-state')
    },
  }
  return face
}
