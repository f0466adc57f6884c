import { controlsOf, isSubmitButton } from '../form/controls.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError, MondidoState } from '../types.ts'
import { setTemporarily } from './elements.ts'
import { markFields } from './field-marks.ts'
import { createLiveRegion } from './live-region.ts'

/**
 * Display of a form's state, for the eye and for screen readers. It changes no value that the form
 * sends.
 */
export interface FormFace {
  showState(state: MondidoState): void
  /**
   * Marks the form as busy: `aria-busy` and a class on the form, `aria-disabled` on its submit
   * buttons.
   */
  lock(settings: Settings): void
  unlock(): void
  /**
   * Announces an error and marks its fields; after a failed check focuses the first of them.
   * @param lang language of the library's and the service's texts
   */
  showError(error: MondidoError, lang: string, settings: Settings): void
  /**
   * Announces a text in the form's live region, which the first call creates; with option
   * `showMessages` it is visible.
   */
  say(text: string, lang: string, settings: Settings): void
  /** Removes the last text and the marks of the last error. */
  clear(): void
  /** Restores the form. */
  remove(): void
}

/** Creates the display of one form. */
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
      lock.add(setTemporarily(form, 'aria-busy', 'true'))
      for (const button of buttons) lock.add(setTemporarily(button, 'aria-disabled', 'true'))
    },
    unlock() {
      lock?.end()
      lock = undefined
    },
    showError(error, lang, settings) {
      face.clear()
      const spoken = error.code === 'validation.native' ? navigator.language : lang
      marks = markFields(form, error, spoken, settings)
      // The messages next to the fields are already visible.
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
