import { Fault } from '../errors/faults.ts'
import { move, snapshotOf } from '../form/mounted.ts'
import type { MaybePromise } from '../soon.ts'
import type { Attempt } from '../state.ts'
import { mpiAddress } from '../three-d-secure/entry.ts'
import { comeBack, goToBank, settle } from './pay.ts'
import { lock, step } from './running.ts'

/**
 * Runs the page's handlers of `payment:before`.
 * @throws Fault `integration.before`
 */
export function before(attempt: Attempt): MaybePromise<boolean> {
  const { id, mounted, scope } = attempt
  const { form, emit } = mounted
  move(mounted, 'before')
  scope.listen(window, 'pageshow', (event) => {
    if ((event as PageTransitionEvent).persisted) step(attempt, comeBack, settle)
  })
  if (scope.isOver) return false
  const { isPrevented, waits, thrown } = emit(
    'payment:before',
    { attempt: id, form },
    { attempt: id },
  )
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
    !!mpiAddress(settings, snapshotOf(mounted, settings), served)
  )
}
