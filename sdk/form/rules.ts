import { tell } from '../advice/tell.ts'
import { DIGITS_ONLY, holdsCardNumber, isCardNumber, isCurrent, isCvv } from '../card/card.ts'
import { Fault } from '../errors/faults.ts'
import type { Settings } from '../settings/options.ts'
import { normalizeDigits } from '../shared/typed-card.ts'
import type { Attempt } from '../state.ts'
import type { FaultCode, FieldProblem } from '../types.ts'
import type { MessageKey } from '../ui/messages.ts'
import { listControls } from './controls.ts'
import { getText } from './mounted.ts'
import { createParameter, getFieldValue, type Pair, type Snapshot } from './snapshot.ts'

type FormRule = [
  code: Extract<FaultCode, `form.${string}`> | 'integration.payment_method',
  isBroken: (snapshot: Snapshot, type: 'ajax' | 'form') => boolean,
]

/** Rules for payment forms. */
const RULES: readonly FormRule[] = [
  ['form.unnamed_field', ({ unnamed }) => unnamed.length > 0],
  ['form.unreadable_field', ({ unreadable }) => unreadable.length > 0],
  [
    'form.no_encrypted_fields',
    (snapshot) => !snapshot.hasMarks && getFieldValue(snapshot, 'process') !== 'false',
  ],
  [
    'integration.payment_method',
    (snapshot) => ![undefined, 'credit_card'].includes(getFieldValue(snapshot, 'payment_method')),
  ],
  ['form.file_input', ({ files }, type) => type === 'ajax' && files.length > 0],
]

/** Returns true for a card number under any name, and for the digits of a card parameter. */
const isCardData = ([name, value]: Pair): boolean =>
  holdsCardNumber(value) || (DIGITS_ONLY.test(name) && /^\d+$/.test(normalizeDigits(value)))

/**
 * Checks the fields of a form, for test and live payments.
 * @throws Fault of the first broken rule
 */
export function checkForm(snapshot: Snapshot, type: 'ajax' | 'form'): void {
  const broken = RULES.find(([, isBroken]) => isBroken(snapshot, type))
  if (broken) throw new Fault(broken[0])
  const clear = new Set(snapshot.plain.filter(isCardData).map(([name]) => name))
  if (clear.size)
    throw new Fault('form.clear_card_data', { facts: { fields: [...clear].join(', ') } })
}

/**
 * Returns one value for each encrypted parameter, without empty ones. If inputs disagree, the last
 * one counts in a live payment, with a warning (our decision).
 * @throws Fault `form.duplicate_field` in a test payment
 */
export function listUniqueSecrets(secrets: readonly Pair[], isTest: boolean): Pair[] {
  const unique = new Map<string, string>()
  for (const [field, value] of secrets) {
    if (value === '') continue
    if ((unique.get(field) || value) !== value) {
      const facts = { field }
      if (isTest) throw new Fault('form.duplicate_field', { facts, field })
      tell('warn', 'form.duplicate_field', facts)
    }
    unique.set(field, value)
  }
  return [...unique]
}

/**
 * Runs the checks in the settings. Problems found by the browser are reported alone.
 * @throws Fault with the code of the first problem, and all of them; `integration.before` if a
 *   check of the page throws
 */
export function validate(attempt: Attempt, snapshot: Snapshot): void {
  const { settings, submitter, mounted } = attempt
  const { form } = mounted
  const skipsNative = form.hasAttribute('novalidate') || submitter?.hasAttribute('formnovalidate')
  const native = settings.validate === false || skipsNative ? [] : findNativeProblems(attempt)
  const problems = native.length
    ? native
    : settings.validate === 'card'
      ? findCardProblems(attempt, snapshot)
      : findOwnProblems(settings.validate, form)
  // A page's own check may have its own codes.
  if (problems[0]) throw new Fault(problems[0].code as FaultCode, { problems })
}

const findNativeProblems = (attempt: Attempt): FieldProblem[] =>
  listControls(attempt.mounted.form)
    .filter((control) => !control.checkValidity())
    .map((element) => ({
      field: createParameter(element, attempt.settings),
      code: 'validation.native',
      message: element.validationMessage || getText(attempt, 'required'),
      element,
    }))

function findOwnProblems(check: Settings['validate'], form: HTMLFormElement): FieldProblem[] {
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
function findCardProblems(attempt: Attempt, snapshot: Snapshot): FieldProblem[] {
  const { mounted, settings } = attempt
  if (/^stored_card$/i.test(getFieldValue(snapshot, 'card_type') || '')) return []
  const present = new Set(
    listControls(mounted.form, settings.attributes).map((control) =>
      createParameter(control, settings),
    ),
  )
  const read = (field: string) => getFieldValue(snapshot, field) || ''
  return CARD_RULES.filter(
    ([field, , , isRight]) => present.has(field) && !isRight(read(field), read('card_number')),
  ).map(([field, code, key]) => ({ field, code, message: getText(attempt, key) }))
}
