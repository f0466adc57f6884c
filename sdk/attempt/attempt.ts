import { toHex } from '../crypto/base64.ts'
import { randomBytes } from '../crypto/encrypt.ts'
import { errorOfFault, errorOfRefusal } from '../errors/error.ts'
import { asFault, Fault } from '../errors/faults.ts'
import { clearControl } from '../form/controls.ts'
import type { Emit } from '../form/events.ts'
import { type Snapshot, takeSnapshot } from '../form/snapshot.ts'
import { createScope } from '../scope.ts'
import type { Configs } from '../settings/merchant.ts'
import type { Settings } from '../settings/options.ts'
import type { MondidoError, MondidoState, Outcome, Transaction } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'
import { deliver } from './deliver.ts'
import { navigate } from './navigate.ts'
import { watchPolicy } from './policy.ts'
import { type Payload, prepare } from './prepare.ts'
import type { Verdict } from './verdict.ts'

/** Id of an attempt: 128 random bits in hexadecimal.
 * @throws Fault `crypto.unavailable` */
export const newAttemptId = (): string => toHex(randomBytes(16))

/** What an attempt needs to know and may do. */
export interface AttemptHost {
  id: string
  form: HTMLFormElement
  settings: Settings
  configs: Configs
  submitter: HTMLElement | null
  emit: Emit
  text(key: MessageKey): string
  /** Current state of the form. */
  state(): MondidoState
  move(to: MondidoState): void
  /** Shows that the form is busy and says so; harmless when done twice. */
  lock(): void
  unlock(): void
  /** Tells of the error that ended the attempt. */
  report(error: MondidoError): void
  say(key: MessageKey): void
}

/** One attempt to pay. */
export interface Attempt {
  run(): void
  /** Ends it with `network.aborted`. */
  abort(): Outcome
  /** Ends it without an event. */
  drop(): void
}

/** One attempt: `payment:before`, encrypting, sending, and exactly one of `payment:success` and `payment:fail` unless
 * `payment:before` stopped it. Everything up to the request happens in the stack of `run`, unless a promise of
 * `payment:before` has to be waited for. */
export function createAttempt(host: AttemptHost): Attempt {
  const { id, form, settings, emit, move } = host
  const scope = createScope()
  let isSent = false

  /** Runs a step, unless the attempt is over; whatever it throws ends the attempt. */
  function step(run: () => void): void {
    try {
      if (!scope.isOver) run()
    } catch (thrown) {
      crash(thrown)
    }
  }

  const crash = (thrown: unknown): void => fail(asFault(thrown, isSent ? 'unknown' : 'not_sent'))
  const circumstances = () => ({ attempt: id, state: host.state(), text: host.text })
  const fail = (fault: Fault): void => failWith(errorOfFault(fault, circumstances()))

  function failWith(error: MondidoError): void {
    if (end('fail')) host.report(error)
  }

  /** Leaves the attempt; returns false when it was over already. */
  function end(to: MondidoState): boolean {
    if (scope.isOver) return false
    scope.end()
    host.unlock()
    move(to)
    return true
  }

  function before(): void {
    move('before')
    const { isPrevented, waits, thrown } = emit('payment:before', { attempt: id, form }, { attempt: id })
    if (thrown.length) halt('A handler failed.', thrown[0])
    else if (isPrevented) end('idle')
    else step(() => (waits.length ? wait(waits) : send()))
  }

  const halt = (explain: string, cause?: unknown) => fail(new Fault('integration.before', { explain, cause }))

  function wait(waits: readonly PromiseLike<unknown>[]): void {
    host.lock()
    const stopTimer = scope.timer(settings.timeouts.before, () => halt('payment:before took too long.'))
    Promise.all(waits).then(
      (results) => {
        stopTimer()
        if (results.includes(false)) end('idle')
        else step(send)
      },
      (cause: unknown) => halt('A promise of payment:before was rejected.', cause),
    )
  }

  function send(): void {
    move('encrypting')
    const snapshot = takeSnapshot(form, settings, host.submitter)
    const payload = prepare({ form, settings, configs: host.configs, snapshot, attempt: id })
    if (navigator.onLine === false) throw new Fault('network.offline', { explain: 'The browser is offline.' })
    step(() => {
      host.lock()
      move('sending')
    })
    step(() => {
      isSent = true
      if (settings.type === 'form') leave(payload)
      else deliver(payload, id, settings.timeouts, scope).then((verdict) => settle(verdict, snapshot), crash)
    })
  }

  function leave(payload: Payload): void {
    watchPolicy(scope, payload.url, 'form-action', crash)
    navigate(payload, form)
  }

  function settle(verdict: Verdict, snapshot: Snapshot): void {
    if (scope.isOver) return
    if (verdict.kind === 'refused') failWith(errorOfRefusal(verdict.error, verdict.status, circumstances()))
    else succeed(verdict.transaction, snapshot)
  }

  function succeed(transaction: Transaction, snapshot: Snapshot): void {
    if (settings.clearOnSuccess) for (const { control } of snapshot.secrets) clearControl(control)
    if (!end('success')) return
    host.say('paid')
    emit('payment:success', transaction, { attempt: id, transaction })
  }

  return {
    run() {
      // Back to a page that was frozen during the attempt: its request is gone.
      scope.listen(window, 'pageshow', (event) => {
        if ((event as PageTransitionEvent).persisted) end('idle')
      })
      step(before)
    },
    abort() {
      const outcome = isSent ? 'unknown' : 'not_sent'
      fail(new Fault('network.aborted', { explain: 'The page aborted the attempt.', outcome }))
      return outcome
    },
    drop: () => void end('idle'),
  }
}
