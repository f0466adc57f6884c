import { tell } from '../advice/tell.ts'
import { DIGITS_ONLY, holdsCardNumber } from '../card/card.ts'
import { Fault } from '../errors/faults.ts'
import { normalizeDigits } from '../shared/typed-card.ts'
import type { FaultCode } from '../types.ts'
import { fieldValue, type Pair, type Snapshot } from './snapshot.ts'

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
    (snapshot) => !snapshot.hasMarks && fieldValue(snapshot, 'process') !== 'false',
  ],
  [
    'integration.payment_method',
    (snapshot) => ![undefined, 'credit_card'].includes(fieldValue(snapshot, 'payment_method')),
  ],
  ['form.file_input', ({ files }, type) => type === 'ajax' && files.length > 0],
]

/**
 * Returns true if an unencrypted field contains card data: a card number under any name, or a card
 * parameter.
 */
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
export function uniqueSecrets(secrets: readonly Pair[], isTest: boolean): Pair[] {
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
