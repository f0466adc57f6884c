import { groupNumber } from '../../../sdk/shared/typed-card.ts'
import type { DeclinedCvv } from '../../acquirer/test-mode.ts'
import { TEST_PERSONS } from '../../acquirer/test-persons.ts'
import { numberOfCase } from '../../domain/card/test-cards.ts'
import { OUTCOMES as AUTHENTICATION_OUTCOMES } from '../../domain/card/three-d-secure-cases.ts'
import { descriptionIn } from '../../domain/errors/descriptions.ts'
import { entryByName } from '../../domain/errors/errors.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { AUTHENTICATION_RESULTS } from '../pages/authentication-results.ts'
import type { HostedTexts } from './texts/words.ts'

/** A card with a known outcome in test mode (specification: Test-mode behavior). */
export interface TestOutcome {
  readonly label: string
  /** Label of its button above the list; null for most outcomes. */
  readonly quick: string | null
  /** Its 3-D Secure case; null for a card without 3-D Secure. */
  readonly threeDSecure: number | null
  readonly number: string
  readonly cvv: string
}

/** Names of the outcomes' labels. */
const BY_CVV: Readonly<Record<'200' | DeclinedCvv, keyof HostedTexts & `outcome_${string}`>> = {
  200: 'outcome_approved',
  201: 'outcome_declined',
  202: 'outcome_cvv',
  203: 'outcome_expired',
}

const OUTCOMES: readonly (readonly [
  text: keyof HostedTexts & `outcome_${string}`,
  number: string,
  cvv: string,
])[] = [
  ...Object.entries(BY_CVV).map(([cvv, text]) => [text, '4111 1111 1111 1111', cvv] as const),
  ['outcome_mistyped', '4111 1111 1111 1112', '200'],
]

/** The 3-D Secure case that asks the payer for a code. */
const ASKS_FOR_CODE = 10

/** Labels of the outcomes with a button above the list. */
const QUICK: Readonly<Record<string, 'outcome_approved' | 'helper_declined'>> = {
  outcome_approved: 'outcome_approved',
  outcome_declined: 'helper_declined',
}

/** Lists the outcomes of a page's test helper. */
export const testOutcomes = (texts: HostedTexts, locale: Locale): TestOutcome[] => [
  ...OUTCOMES.map(([text, number, cvv]) => ({
    label: texts[text],
    quick: QUICK[text] === undefined ? null : texts[QUICK[text]],
    threeDSecure: null,
    number,
    cvv,
  })),
  ...[...AUTHENTICATION_OUTCOMES].map(([threeDSecure, { flow, result }]) => ({
    label: `${AUTHENTICATION_RESULTS[locale][result]}${flow === 'challenge' ? texts.outcome_asked : ''}`,
    quick: threeDSecure === ASKS_FOR_CODE ? '3-D Secure' : null,
    threeDSecure,
    number: groupNumber(numberOfCase(threeDSecure)),
    cvv: '200',
  })),
]

/** Returns the expiry of every test card, three years from now, as MM/YY. @param now epoch milliseconds */
export const testExpiry = (now: number): string =>
  `12/${(new Date(now).getUTCFullYear() + 3) % 100}`

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
