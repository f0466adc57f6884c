import { Fault, reportFault } from '../errors/faults.ts'
import { guard } from '../log.ts'
import { resolveSettings, type Settings } from '../settings/options.ts'
import type { Attempt, MountedForm } from '../state.ts'
import { NEXT } from '../state.ts'
import type { Locale, MondidoError, MondidoState, Transaction } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'
import { getLocale, getTextIn } from '../ui/texts.ts'
import { clearSecrets, getFieldValue, type Snapshot, takeSnapshot } from './snapshot.ts'

/** Returns the current settings. */
export const readSettings = ({ form, options, shared }: MountedForm): Settings =>
  resolveSettings(form, options, shared.defaults)

/** Returns the id of the last attempt; null before the first one. */
export const getAttemptId = ({ lastAttempt }: MountedForm): string | null => lastAttempt?.id || null

/** Reads the form for its last attempt. */
export const snapshotForm = (
  { form, lastAttempt }: MountedForm,
  settings: Settings,
  submitter?: HTMLElement | null,
): Snapshot => takeSnapshot(form, settings, submitter, lastAttempt?.enabled)

/** Returns the language of the texts. */
export const getLanguage = (mounted: MountedForm, settings: Settings): Locale =>
  guard(() => getLocale(settings, getFieldValue(snapshotForm(mounted, settings), 'locale'))) || 'en'

/** Returns a text for the payer. */
export const getText = (
  { mounted, settings }: Pick<Attempt, 'mounted' | 'settings'>,
  key: MessageKey,
): string => getTextIn(getLanguage(mounted, settings), settings, key)

export const announce = (mounted: MountedForm, key: MessageKey, settings: Settings): void =>
  mounted.face.say(getText({ mounted, settings }, key), getLanguage(mounted, settings), settings)

export function move(mounted: MountedForm, to: MondidoState): void {
  const from = mounted.state
  if (!NEXT[from].includes(to)) throw new Fault('internal')
  mounted.state = to
  if (!mounted.scope.isOver) mounted.face.showState(to)
  mounted.emit('payment:state', { attempt: getAttemptId(mounted) || '', from, to })
}

/** Empties the form after the page's handlers, unless one of them started the next attempt. */
export function succeed(mounted: MountedForm, transaction: Transaction): void {
  const attempt = mounted.lastAttempt
  const settings = readSettings(mounted)
  mounted.emit('payment:success', transaction, { attempt: attempt?.id || '', transaction })
  if (mounted.lastAttempt && mounted.lastAttempt !== attempt) return
  if (settings.clearOnSuccess) guard(() => clearSecrets(snapshotForm(mounted, settings)))
  if (mounted.lastAttempt) announce(mounted, 'paid', settings)
}

export function report(mounted: MountedForm, error: MondidoError): void {
  if (error.cause instanceof Fault && error.category !== 'validation') reportFault(error.cause)
  const { isPrevented } = mounted.emit('payment:fail', error, { error })
  const settings = readSettings(mounted)
  if (!isPrevented && getAttemptId(mounted) === error.attempt)
    mounted.face.showError(error, getLanguage(mounted, settings), settings)
}
