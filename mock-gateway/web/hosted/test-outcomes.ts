import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_PERSONS } from '../../acquirer/test-persons.ts'
import { descriptionIn } from '../../domain/errors/descriptions.ts'
import { entryByName } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import type { HostedTexts } from './texts/words.ts'

/** A card with a known outcome in test mode (specification: Test-mode behavior). */
export interface TestOutcome {
  readonly label: string
  readonly number: string
  readonly cvv: string
  /** MM/YY, three years from now. */
  readonly expiry: string
}

/** Names of the outcomes' labels. */
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

/** Lists the outcomes of a page's test helper. @param now epoch milliseconds */
export function testOutcomes(texts: HostedTexts, now: number): TestOutcome[] {
  const year = new Date(now).getUTCFullYear() + 3
  return OUTCOMES.map(([text, number, cvv]) => ({
    label: texts[text],
    number,
    cvv,
    expiry: `12/${year % 100}`,
  }))
}

/** A person with a known result of the credit check. */
export interface TestPerson {
  readonly country: string
  readonly number: string
  /** Code and text of the error; null if approved. */
  readonly error: string | null
}

/** Lists the persons of an invoice's test helper. */
export const testPersons = (locale: Locale): TestPerson[] =>
  TEST_PERSONS.map(({ country, number, refusal }) => {
    const entry = refusal && entryByName(refusal)
    return {
      country,
      number,
      error: entry ? `${entry.code} ${descriptionIn(entry, locale)}` : null,
    }
  })
