import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_PERSONS } from '../../acquirer/test-persons.ts'
import { descriptionIn } from '../../domain/errors/descriptions.ts'
import { entryByName } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { HostedTexts } from './texts/words.ts'

/** A card that has a certain outcome in test mode (specification: Test-mode behavior). */
export interface TestOutcome {
  readonly label: string
  readonly number: string
  readonly cvv: string
  /** MM/YY, three years from now. */
  readonly expiry: string
}

/** What the label of each outcome is called. */
const BY_CVV: Readonly<Record<'200' | DeclinedCvv, keyof HostedTexts & `outcome_${string}`>> = {
  200: 'outcome_approved',
  201: 'outcome_declined',
  202: 'outcome_cvv',
  203: 'outcome_expired',
}

const OUTCOMES = [
  ...Object.entries(BY_CVV).map(([cvv, text]) => [text, '4111 1111 1111 1111', cvv] as const),
  ['outcome_mistyped', '4111 1111 1111 1112', '200'],
] as const

/** What the test helper of a page offers. @param now epoch milliseconds */
export function testOutcomes(texts: HostedTexts, now: number): TestOutcome[] {
  const year = new Date(now).getUTCFullYear() + 3
  return OUTCOMES.map(([text, number, cvv]) => ({
    label: texts[text],
    number,
    cvv,
    expiry: `12/${year % 100}`,
  }))
}

/** A person whose credit check has a known answer. */
export interface TestPerson {
  readonly country: string
  readonly number: string
  /** Code and words of the refusal; null when there is none. */
  readonly error: string | null
}

/** What the test helper of an invoice offers. */
export const testPersons = (locale: Locale): TestPerson[] =>
  TEST_PERSONS.map(({ country, number, refusal }) => {
    const entry = refusal && entryByName(refusal)
    return {
      country,
      number,
      error: entry ? `${entry.code} ${descriptionIn(entry, locale)}` : null,
    }
  })
