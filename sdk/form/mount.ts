import { tell } from '../advice/tell.ts'
import { abort } from '../attempt/attempt.ts'
import { end } from '../attempt/running.ts'
import { watchTyping } from '../card/typing.ts'
import { guard, guarded } from '../log.ts'
import { createScope } from '../scope.ts'
import { ALIASES, DEFAULTS } from '../settings/options.ts'
import type { LibraryState, MountedForm } from '../state.ts'
import { isBusy } from '../state.ts'
import type { MondidoController, MondidoError, MondidoOptions, Transaction } from '../types.ts'
import { setTemporarily } from '../ui/elements.ts'
import { createFormFace } from '../ui/form-face.ts'
import { getLocale } from '../ui/texts.ts'
import { accept, begin, follow, receive } from './accept.ts'
import { isSubmitButton } from './controls.ts'
import { createEmitter, type Sink } from './events.ts'
import { getAttemptId, move, readSettings } from './mounted.ts'
import { removeSecrets } from './snapshot.ts'
import { findEnd } from './submission.ts'

/**
 * Attributes for libraries that send a form although its event is prevented: rails-ujs, Microsoft's
 * unobtrusive Ajax and htmx. Null removes the attribute.
 */
const SENDER_ATTRIBUTES = [
  ['data-remote', null],
  ['data-ajax', null],
  ['hx-boost', 'false'],
] as const

type Senders = Window & { htmx?: { process(element: Element, force: true): void } }

/** Mounts the library on a form. */
export function mountForm(
  form: HTMLFormElement,
  options: MondidoOptions,
  shared: LibraryState,
): MountedForm {
  const scope = createScope()
  const face = guarded(createFormFace(form))
  const controller: MondidoController = {
    form,
    get state() {
      return mounted.state
    },
    get attempt() {
      return getAttemptId(mounted)
    },
    submit: (submitter) => accept(mounted, isSubmitButton(submitter) ? submitter : null),
    abort: () => (isBusy(mounted.state) && mounted.lastAttempt ? abort(mounted.lastAttempt) : null),
    focusWindow: () => mounted.lastAttempt?.bank?.focus() || false,
    option(added) {
      if (isBusy(mounted.state)) return tell('warn', 'page.busy')
      warnOfUnknownOptions(added)
      mounted.options = { ...mounted.options, ...added }
    },
    destroy() {
      scope.end()
      if (mounted.lastAttempt) end(mounted.lastAttempt, 'idle')
      mounted.lastAttempt = undefined
      face.remove()
    },
  }
  const handlers: Sink = ({ name, detail }) => {
    const { success, error } = readSettings(mounted)
    if (name === 'payment:success') success?.(detail as Transaction)
    if (name === 'payment:fail') error?.(detail as MondidoError)
    return { isPrevented: false }
  }
  const sinks = new Set([handlers])
  const emit = createEmitter(form, controller, sinks)
  const mounted: MountedForm = {
    form,
    shared,
    options,
    controller,
    sinks,
    emit,
    scope,
    face,
    state: 'idle',
    stopped: 0,
  }
  const settings = readSettings(mounted)
  follow(mounted, settings)
  warnOfUnknownOptions(options)
  face.showState(mounted.state)
  face.say('', getLocale(settings), settings)
  for (const [name, value] of SENDER_ATTRIBUTES) scope.add(setTemporarily(form, name, value))
  // Libraries that have already bound the form read the attributes again.
  guard(() => (window as Senders).htmx?.process(form, true))
  scope.listen(form, 'submit', () => void begin(mounted), true)
  scope.listen(form, 'submit', (event) => receive(mounted, event as SubmitEvent, findEnd(event)))
  scope.listen(form, 'formdata', (event) =>
    removeSecrets(form, readSettings(mounted), (event as FormDataEvent).formData),
  )
  scope.listen(form, 'reset', (event) => {
    if (event.defaultPrevented || isBusy(mounted.state)) return
    face.clear()
    mounted.lastAttempt = undefined
    if (mounted.state !== 'idle') move(mounted, 'idle')
  })
  watchTyping(
    form,
    scope,
    () => readSettings(mounted),
    (brand) => emit('card:brand', { brand }),
  )
  return mounted
}

/** Reports unknown options. */
export function warnOfUnknownOptions(options: object): void {
  const known = Object.keys(DEFAULTS)
  const unknown = Object.keys(options).filter((name) => !known.includes(ALIASES.get(name) || name))
  for (const option of unknown) tell('warn', 'option.unknown', { option })
}
