import { consult, isLoopback, readAlong, tell } from '../advice/tell.ts'
import { newAttemptId, runAttempt } from '../attempt/attempt.ts'
import { isBusy } from '../attempt/states.ts'
import { guard } from '../log.ts'
import { createScope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { MountedForm } from '../state.ts'
import { say, settingsOf } from './mounted.ts'
import { isTestPayment, takeSnapshot } from './snapshot.ts'
import { type AtEnd, isPrevented, type Submission, submitterOf, whenWanted } from './submission.ts'

/** Handles a submission of the form. */
export function receive(mounted: MountedForm, submission: Submission, atEnd: AtEnd): void {
  /** A handler of the page prevented the submission, once or always. */
  const drop = (): void => {
    mounted.prevented += 1
    if (mounted.prevented === 2) tell('warn', 'page.submit_prevented')
  }
  if (mounted.scope.isOver) return
  if (isPrevented(submission)) drop()
  else if (isBusy(mounted.state)) {
    submission.preventDefault()
    submission.stopImmediatePropagation()
    mounted.lastAttempt?.bank?.focus()
  } else
    whenWanted(
      submission,
      atEnd,
      () => accept(mounted, guard(() => submitterOf(submission)) || null),
      drop,
    )
}

/** Starts an attempt, unless one is running or has succeeded. */
export function accept(mounted: MountedForm, submitter: HTMLElement | null): void {
  if (isBusy(mounted.state) || mounted.scope.isOver) return
  const settings = settingsOf(mounted)
  if (mounted.state === 'success') return void say(mounted, 'paid', settings)
  mounted.face.clear()
  mounted.prevented = 0
  const attempt = { id: newAttemptId(), mounted, settings, submitter, scope: createScope() }
  mounted.lastAttempt = attempt
  runAttempt(attempt, () => guard(() => warnOfMistakes(mounted, settings)))
}

/**
 * Returns true if the integrator gets messages: with the option `debug`, else for test payments and
 * on a local computer.
 */
export function follow({ form }: MountedForm, settings: Settings): boolean {
  const isRead = settings.debug ?? (isLoopback() || isTestPayment(takeSnapshot(form, settings)))
  readAlong(isRead)
  return isRead
}

/** Warns about mistakes in the HTML, once. */
function warnOfMistakes(mounted: MountedForm, settings: Settings): void {
  if (mounted.isExamined || !follow(mounted, settings)) return
  mounted.isExamined = true
  consult(({ examine }) => {
    for (const [code, facts] of examine(mounted.form, settings)) tell('warn', code, facts)
  })
}
