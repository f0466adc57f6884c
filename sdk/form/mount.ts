import { consult, isLoopback, readAlong, tell } from '../advice/tell.ts'
import { type Attempt, createAttempt, newAttemptId } from '../attempt/attempt.ts'
import { isBusy, NEXT } from '../attempt/states.ts'
import { watchTyping } from '../card/typing.ts'
import { Fault, tellOf } from '../errors/faults.ts'
import { guard, guarded } from '../log.ts'
import { createScope, type Scope } from '../scope.ts'
import type { Configs } from '../settings/merchant.ts'
import { resolveSettings, type Settings, warnOfUnknownOptions } from '../settings/options.ts'
import type {
  MondidoController,
  MondidoError,
  MondidoOptions,
  MondidoState,
  MondidoStatic,
  Transaction,
} from '../types.ts'
import { createFormFace } from '../ui/form-face.ts'
import type { MessageKey } from '../ui/messages.ts'
import { localeOf, textIn } from '../ui/texts.ts'
import { isSubmitButton } from './controls.ts'
import { createEmitter, type Sink } from './events.ts'
import { clearSecrets, fieldValue, isTestPayment, takeSnapshot } from './snapshot.ts'
import { type AtEnd, endOf, isPrevented, type Submission, submitterOf, whenWanted } from './submission.ts'

/** What the forms of one library share. */
export interface Shared {
  configs: Configs
  defaults: MondidoStatic['defaults']
}

/** A form in the library's hands. */
export interface Mounted {
  controller: MondidoController
  /** Takes over a submission of the form. */
  receive(submission: Submission, atEnd: AtEnd): void
  /** jQuery handlers to tell of events. */
  sinks: Set<Sink>
  /** Ends when the controller is destroyed. */
  scope: Scope
}

/** Takes a form into the library's hands. */
export function mountForm(form: HTMLFormElement, initial: MondidoOptions, shared: Shared): Mounted {
  let options = initial
  let state: MondidoState = 'idle'
  let attempt: Attempt | null = null
  let attemptId: string | null = null
  let isExamined = false
  /** Submissions in a row that a handler prevented, and attempts that `payment:before` stopped. */
  let prevented = 0
  let stopped = 0
  const home = createScope()
  const face = guarded(createFormFace(form))
  const sinks = new Set<Sink>()
  const readSettings = () => resolveSettings(form, options, shared.defaults)
  const localeNow = (settings: Settings) =>
    guard(() => localeOf(settings, fieldValue(takeSnapshot(form, settings), 'locale'))) ?? 'en'

  const controller: MondidoController = {
    form,
    get state() {
      return state
    },
    get attempt() {
      return attemptId
    },
    submit: (submitter) => accept(isSubmitButton(submitter) ? submitter : null),
    abort: () => (isBusy(state) && attempt ? attempt.abort() : null),
    focusWindow: () => attempt?.focus() ?? false,
    option(added) {
      if (isBusy(state)) return tell('warn', 'page.busy')
      warnOfUnknownOptions(added)
      options = { ...options, ...added }
    },
    destroy() {
      home.end()
      attempt?.drop()
      attemptId = null
      face.remove()
    },
  }
  const emit = createEmitter(form, controller, sinks)
  sinks.add(({ name, detail }) => {
    const { success, error } = readSettings()
    if (name === 'payment:success') success?.(detail as Transaction)
    if (name === 'payment:fail') error?.(detail as MondidoError)
    return { isPrevented: false }
  })

  function move(to: MondidoState): void {
    const from = state
    if (!NEXT[from].includes(to)) throw new Fault('internal')
    state = to
    if (from === 'before' && to !== 'fail') stopped = to === 'idle' ? stopped + 1 : 0
    if (to === 'idle' && stopped === 2) tell('warn', 'page.payment_prevented')
    face.showState(to)
    emit('payment:state', { attempt: attemptId ?? '', from, to })
  }

  /** Empties the form when the page has heard, unless a handler has gone on to the next attempt. */
  function succeed(transaction: Transaction): void {
    const attempt = attemptId
    const settings = readSettings()
    emit('payment:success', transaction, { attempt: attempt ?? '', transaction })
    if (attemptId && attemptId !== attempt) return
    if (settings.clearOnSuccess) guard(() => clearSecrets(form, settings))
    if (attemptId) say('paid', settings)
  }

  function report(error: MondidoError): void {
    if (error.cause instanceof Fault && error.category !== 'validation') tellOf(error.cause)
    const { isPrevented } = emit('payment:fail', error, { attempt: error.attempt, error })
    const settings = readSettings()
    if (!isPrevented && attemptId === error.attempt) face.showError(error, localeNow(settings), settings)
  }

  const textOf = (key: MessageKey, settings: Settings) => textIn(localeNow(settings), settings, key)
  const say = (key: MessageKey, settings: Settings) => face.say(textOf(key, settings), localeNow(settings), settings)

  /** Starts an attempt, unless one runs or succeeded. */
  function accept(submitter: HTMLElement | null): void {
    if (isBusy(state) || home.isOver) return
    const settings = readSettings()
    if (state === 'success') return void say('paid', settings)
    face.clear()
    prevented = 0
    attemptId = newAttemptId()
    attempt = createAttempt({
      id: attemptId,
      form,
      settings,
      configs: shared.configs,
      submitter,
      emit,
      text: (key) => textOf(key, settings),
      lang: () => localeNow(settings),
      state: () => state,
      move,
      succeed,
      report,
      lock() {
        face.lock(settings)
        say('paying', settings)
      },
      unlock: face.unlock,
      say: (key) => say(key, settings),
    })
    guard(() => look(settings))
    attempt.run()
  }

  /** Whether the integrator reads along: option `debug`, else with test payments and on the own computer. */
  function follow(settings: Settings): boolean {
    const isRead = settings.debug ?? (isLoopback() || isTestPayment(takeSnapshot(form, settings)))
    readAlong(isRead)
    return isRead
  }

  /** Tells of the mark-up's mistakes, once. */
  function look(settings: Settings): void {
    if (isExamined || !follow(settings)) return
    isExamined = true
    consult(({ examine }) => {
      for (const [code, facts] of examine(form, settings)) tell('warn', code, facts)
    })
  }

  /** A handler of the page prevented a submission: perhaps for a reason, perhaps always. */
  function drop(): void {
    prevented += 1
    if (prevented === 2) tell('warn', 'page.submit_prevented')
  }

  function receive(submission: Submission, atEnd: AtEnd): void {
    if (home.isOver) return
    if (isPrevented(submission)) drop()
    else if (isBusy(state)) {
      submission.preventDefault()
      submission.stopImmediatePropagation()
      attempt?.focus()
    } else whenWanted(submission, atEnd, () => accept(guard(() => submitterOf(submission)) ?? null), drop)
  }

  const settings = readSettings()
  follow(settings)
  warnOfUnknownOptions(initial)
  face.showState(state)
  face.say('', localeOf(settings), settings)
  home.listen(form, 'submit', (event) => receive(event as SubmitEvent, endOf(event)))
  home.listen(form, 'reset', (event) => {
    if (event.defaultPrevented || isBusy(state)) return
    face.clear()
    attemptId = null
    if (state !== 'idle') move('idle')
  })
  watchTyping(form, home, readSettings, (brand) => emit('card:brand', { brand }))
  return { controller, receive, sinks, scope: home }
}
