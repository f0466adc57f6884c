import { createFaultError } from '../errors/error.ts'
import { asFault, type Fault, reportFault } from '../errors/faults.ts'
import { announce, move, report } from '../form/mounted.ts'
import { isPromise, type MaybePromise } from '../soon.ts'
import type { Attempt } from '../state.ts'
import type { MondidoError, MondidoState } from '../types.ts'

/** Runs a step and then the next one, unless the attempt has ended; errors end it. */
export function step<T>(
  attempt: Attempt,
  run: (attempt: Attempt) => MaybePromise<T>,
  next?: (attempt: Attempt, given: T) => void,
): void {
  const crash = (thrown: unknown): void => {
    if (attempt.scope.isOver) reportFault(asFault(thrown))
    else fail(attempt, asFault(thrown, attempt.sent ? 'unknown' : 'not_sent'))
  }
  try {
    if (attempt.scope.isOver) return
    const given = run(attempt)
    if (isPromise(given)) given.then((value) => step(attempt, () => next?.(attempt, value)), crash)
    else next?.(attempt, given)
  } catch (thrown) {
    crash(thrown)
  }
}

/** Marks the form as busy; calling it twice is harmless. */
export function lock({ mounted, settings }: Attempt): void {
  mounted.face.lock(settings)
  announce(mounted, 'paying', settings)
}

export const fail = (attempt: Attempt, fault: Fault): void =>
  failWith(attempt, createFaultError(fault, attempt))

export function failWith(attempt: Attempt, error: MondidoError): void {
  if (end(attempt, 'fail')) report(attempt.mounted, error)
}

/** Ends the attempt; returns false if it had ended already. */
export function end({ scope, mounted }: Attempt, to: MondidoState): boolean {
  if (scope.isOver) return false
  scope.end()
  mounted.face.unlock()
  move(mounted, to)
  return true
}
