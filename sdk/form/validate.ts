import { isCardNumber, isCurrent, isCvv } from '../card/card.ts'
import { Fault } from '../errors/faults.ts'
import type { Settings } from '../settings/options.ts'
import type { Attempt } from '../state.ts'
import type { FaultCode, FieldProblem } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'
import { controlsOf } from './controls.ts'
import { textOf } from './mounted.ts'
import { fieldValue, parameterOf, type Snapshot } from './snapshot.ts'

/**
 * Runs the checks in the settings. Problems found by the browser are reported alone.
 * @throws Fault with the code of the first problem, and all of them; `integration.before` if a
 *   check of the page throws
 */
export function validate(attempt: Attempt, snapshot: Snapshot): void {
  const { settings, submitter, mounted } = attempt
  const { form } = mounted
  const skipsNative = form.hasAttribute('novalidate') || submitter?.hasAttribute('formnovalidate')
  const native = settings.validate === false || skipsNative ? [] : nativeProblems(attempt)
  const problems = native.length
    ? native
    : settings.validate === 'card'
      ? cardProblems(attempt, snapshot)
      : ownProblems(settings.validate, form)
  // A page's own check may have its own codes.
  if (problems[0]) throw new Fault(problems[0].code as FaultCode, { problems })
}

const nativeProblems = (attempt: Attempt): FieldProblem[] =>
  controlsOf(attempt.mounted.form)
    .filter((control) => !control.checkValidity())
    .map((element) => ({
      field: parameterOf(element, attempt.settings),
      code: 'validation.native',
      message: element.validationMessage || textOf(attempt, 'required'),
      element,
    }))

function ownProblems(check: Settings['validate'], form: HTMLFormElement): FieldProblem[] {
  if (typeof check !== 'function') return []
  try {
    const problems: unknown = check(form)
    if (Array.isArray(problems)) return problems
  } catch (cause) {
    throw new Fault('integration.before', { why: 'check_failed', cause })
  }
  throw new Fault('integration.before', { why: 'check_result' })
}

type CardRule = [
  field: string,
  code: 'validation.card_number' | 'validation.expiry' | 'validation.cvv' | 'validation.holder',
  text: MessageKey,
  isRight: (value: string, number: string) => boolean,
]

const CARD_RULES: readonly CardRule[] = [
  ['card_holder', 'validation.holder', 'cardHolder', Boolean],
  ['card_number', 'validation.card_number', 'cardNumber', isCardNumber],
  ['card_expiry', 'validation.expiry', 'cardExpiry', (expiry) => isCurrent(expiry)],
  ['card_cvv', 'validation.cvv', 'cardCvv', isCvv],
]

/** Checks the form's card fields. A stored card has no number or expiry to check. */
function cardProblems(attempt: Attempt, snapshot: Snapshot): FieldProblem[] {
  const { mounted, settings } = attempt
  if (/^stored_card$/i.test(fieldValue(snapshot, 'card_type') || '')) return []
  const present = new Set(
    controlsOf(mounted.form, settings.attributes).map((control) => parameterOf(control, settings)),
  )
  const read = (field: string) => fieldValue(snapshot, field) || ''
  return CARD_RULES.filter(
    ([field, , , isRight]) => present.has(field) && !isRight(read(field), read('card_number')),
  ).map(([field, code, key]) => ({ field, code, message: textOf(attempt, key) }))
}
