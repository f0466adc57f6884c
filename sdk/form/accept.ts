import { isLoopback, readAlong, tell, withAdvice } from '../advice/tell.ts'
import { createAttemptId, runAttempt } from '../attempt/attempt.ts'
import { guard } from '../log.ts'
import { createScope } from '../scope.ts'
import type { Settings } from '../settings/options.ts'
import type { BegunSubmission, MountedForm } from '../state.ts'
import { isBusy } from '../state.ts'
import { isEnabled, listControls } from './controls.ts'
import { announce, readSettings, snapshotForm } from './mounted.ts'
import { isTestPayment, takeSnapshot } from './snapshot.ts'
import { type AtEnd, getSubmitter, isPrevented, type Submission, takeOver } from './submission.ts'

/** Submissions that were received. */
const received = new WeakSet<Submission>()

/** Notes the state of a form when a submit event begins. */
export function begin(mounted: MountedForm): BegunSubmission {
  const { form, lastAttempt, scope } = mounted
  const submission = { enabled: new Set(listControls(form).filter(isEnabled)), lastAttempt }
  mounted.begun = submission
  scope.timer(0, () => {
    mounted.begun = undefined
  })
  return submission
}

/** Handles a submission of the form, once. */
export function receive(mounted: MountedForm, submission: Submission, atEnd: AtEnd): void {
  if (mounted.scope.isOver || received.has(submission)) return
  received.add(submission)
  const begun = mounted.begun || begin(mounted)
  const decide = (isRefused: boolean | undefined): void => {
    // A handler may prevent the event and call `submit` itself.
    if (mounted.lastAttempt !== begun.lastAttempt) return
    if (isRefused) reportRefusal(mounted)
    else accept(mounted, guard(() => getSubmitter(submission)) || null, begun)
  }
  if (isPrevented(submission)) decide(true)
  else if (isBusy(mounted.state)) {
    submission.preventDefault()
    submission.stopImmediatePropagation()
    mounted.lastAttempt?.bank?.focus()
  } else takeOver(submission, atEnd, decide)
}

/** A handler of the page refused a form whose fields are valid, so that nothing is paid. */
function reportRefusal(mounted: MountedForm): void {
  const { form, isRefusalTold, state } = mounted
  if (isRefusalTold || isBusy(state) || !listControls(form).every(({ validity }) => validity.valid))
    return
  mounted.isRefusalTold = true
  tell('warn', 'page.submit_prevented', { form: (form.cloneNode() as Element).outerHTML })
}

/**
 * Starts an attempt, unless one is running or has succeeded.
 * @param begun the submission; default: the current one, or a new one
 */
export function accept(
  mounted: MountedForm,
  submitter: HTMLElement | null,
  { enabled }: BegunSubmission = mounted.begun || begin(mounted),
): void {
  if (isBusy(mounted.state) || mounted.scope.isOver) return
  const settings = readSettings(mounted)
  if (mounted.state === 'success') return void announce(mounted, 'paid', settings)
  mounted.face.clear()
  mounted.isRefusalTold = false
  const attempt = {
    id: createAttemptId(),
    mounted,
    settings,
    submitter,
    enabled,
    scope: createScope(),
  }
  mounted.lastAttempt = attempt
  runAttempt(attempt, () => guard(() => warnOfMistakes(mounted, settings)))
}

/** Returns true if the integrator gets messages: option `debug`, else tests and localhost. */
export function follow({ form }: MountedForm, settings: Settings): boolean {
  const isRead = settings.debug ?? (isLoopback() || isTestPayment(takeSnapshot(form, settings)))
  readAlong(isRead)
  return isRead
}

/** Warns about mistakes in the HTML, once. */
function warnOfMistakes(mounted: MountedForm, settings: Settings): void {
  if (mounted.isExamined || !follow(mounted, settings)) return
  mounted.isExamined = true
  const snapshot = snapshotForm(mounted, settings)
  withAdvice(({ examine }) => {
    for (const [code, facts] of examine(mounted.form, settings, snapshot)) tell('warn', code, facts)
  })
}
