import { tell } from '../advice/tell.ts'
import { randomBytes, toHex } from '../crypto/rsa.ts'
import { Fault } from '../errors/faults.ts'
import { move, snapshotForm } from '../form/mounted.ts'
import type { MaybePromise } from '../soon.ts'
import type { Attempt } from '../state.ts'
import type { Outcome } from '../types.ts'
import { goToBank, pay, resumeAttempt, settle } from './pay.ts'
import { findMpiAddress } from './prepare.ts'
import { end, fail, lock, step } from './running.ts'

/** Creates the id of an attempt; empty without a secure random source, which fails later. */
export function createAttemptId(): string {
  try {
    return toHex(randomBytes(16))
  } catch {
    return ''
  }
}

/**
 * Runs an attempt in five steps: before, encrypt, authenticate, send, settle. It ends in exactly
 * one of `payment:success` and `payment:fail`, unless `payment:before` stopped it. Everything up to
 * the request runs synchronously, unless a step has to wait.
 * @param onAnswered runs after `payment:before`, which may have filled in the form
 */
export const runAttempt = (attempt: Attempt, onAnswered: () => void): void =>
  step(attempt, before, (_attempt, isWanted) => {
    const { mounted } = attempt
    mounted.stopped = isWanted ? 0 : mounted.stopped + 1
    if (mounted.stopped === 2) tell('warn', 'page.payment_prevented')
    onAnswered()
    if (isWanted) pay(attempt)
    else end(attempt, 'idle')
  })

/** Ends the attempt with `network.aborted`. */
export function abort(attempt: Attempt): Outcome {
  const outcome = attempt.sent ? 'unknown' : 'not_sent'
  fail(attempt, new Fault('network.aborted', { outcome }))
  return outcome
}

/**
 * Runs the page's handlers of `payment:before`.
 * @throws Fault `integration.before`
 */
function before(attempt: Attempt): MaybePromise<boolean> {
  const { id, mounted, scope } = attempt
  const { form, emit } = mounted
  move(mounted, 'before')
  scope.listen(window, 'pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) step(attempt, resumeAttempt, settle)
  })
  if (scope.isOver) return false
  const { isPrevented, waits, thrown } = emit('payment:before', { attempt: id, form })
  if (thrown.length) throw new Fault('integration.before', { why: 'handler', cause: thrown[0] })
  return waits.length && !isPrevented && !scope.isOver ? waitFor(attempt, waits) : !isPrevented
}

function waitFor(attempt: Attempt, waits: readonly PromiseLike<unknown>[]): Promise<boolean> {
  if (opensWindow(attempt)) goToBank(attempt, true).open()
  step(attempt, lock)
  const given = Promise.all(waits).then(
    (results) => {
      if (results.includes(false)) attempt.bank?.close('cancelled')
      return !results.includes(false)
    },
    (cause: unknown) => {
      throw new Fault('integration.before', { why: 'rejected', cause })
    },
  )
  const { before: timeout } = attempt.settings.timeouts
  const tooLate = attempt.scope.pause(timeout).then(() => {
    throw new Fault('integration.before', { why: 'timeout', facts: { timeout } })
  })
  return Promise.race([given, tooLate])
}

/** Returns true if a window opens with the payer's click: browsers forbid it later. */
function opensWindow({ mounted, settings }: Attempt): boolean {
  const served = [...mounted.shared.configs.values()].map(({ mpiUrl }) => mpiUrl).find(Boolean)
  const { mpi, mpiOpen } = settings
  return (
    mpiOpen === 'eager' &&
    mpi !== 'redirect' &&
    !!findMpiAddress(settings, snapshotForm(mounted, settings), served)
  )
}
