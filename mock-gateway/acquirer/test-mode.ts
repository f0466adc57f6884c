import { testCard } from '../domain/card/test-cards.ts'
import { type ErrorKey, GatewayError } from '../domain/errors/errors.ts'
import type { BankRefusal, DeclineRule } from './authorization.ts'
import { findTestPerson } from './test-persons.ts'

/** Explains a decline: it names values that are approved, and never the value that was sent. */
const because = (error: ErrorKey, explain: string): BankRefusal => ({
  kind: 'declined',
  error,
  explain,
})

const cvv = (meaning: string) =>
  `In test mode this CVV means ${meaning}. Send CVV 200 for an approved payment.`

/**
 * CVVs that the simulated bank declines; every other one is approved (specification: Test-mode
 * behavior).
 */
const DECLINED_CVVS = [
  ['201', because('errors.payment.declined', cvv('a declined payment'))],
  ['202', because('errors.card_cvv.invalid', cvv('a wrong CVV'))],
  ['203', because('errors.card.expired', cvv('an expired card'))],
] as const

/** A CVV that is declined. A list of outcomes has an entry for each. */
export type DeclinedCvv = (typeof DECLINED_CVVS)[number][0]

const BY_CVV: ReadonlyMap<string, BankRefusal> = new Map(DECLINED_CVVS)

const expiry = (meaning: string) =>
  `In test mode the expiry of this stored card means ${meaning}. Use a card that expires before 2037.`

/** Expiries (MMYY) whose recurring charges are declined (specification: Test-mode behavior). */
export const DECLINED_EXPIRIES: ReadonlyMap<string, BankRefusal> = new Map([
  ['0137', because('errors.payment.declined', expiry('a declined charge'))],
  ['0237', because('errors.card.expired', expiry('an expired card'))],
])

const PERSON =
  'In test mode this personal number belongs to a test person who fails the credit check. Any other number is approved.'

/**
 * Declines test payments by CVV, recurring charges by expiry, and invoices by test person. It
 * declines no other test payment (our decision).
 */
export const declineByTestMode: DeclineRule = ({ test, source }) => {
  if (!test) return undefined
  if ('cvv' in source) return BY_CVV.get(source.cvv ?? '')
  if (source.kind === 'recurring') return DECLINED_EXPIRIES.get(source.expiry)
  if (source.kind !== 'invoice') return undefined
  const refusal = findTestPerson(source.country, source.personalNumber)?.refusal
  return refusal && because(refusal, PERSON)
}

/**
 * Checks that test cards pay only with test=true, and all other cards only with test=false
 * (specification: Test-mode behavior).
 * @param number digits only
 * @throws errors.card_number.invalid
 */
export function checkTestFlag(number: string, test: boolean): void {
  const isTestCard = testCard(number) !== undefined
  if (isTestCard === test) return
  const explain = test
    ? 'With test=true, only test card numbers are accepted. The home page of the gateway lists them.'
    : 'Test card numbers are accepted only with test=true.'
  throw new GatewayError('errors.card_number.invalid', { explain })
}
