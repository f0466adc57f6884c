import type { Language } from '../shared/texts.ts'

/**
 * A test card with the result of a payment. Other brands have the same cases: see
 * docs/reference/test-cards.md.
 */
export interface TestCard {
  readonly number: string
  readonly outcome: Readonly<Record<Language, string>>
}

const card = (number: string, en: string, sv: string): TestCard => ({ number, outcome: { en, sv } })

export const TEST_CARDS: readonly TestCard[] = [
  card(
    '4000000000001091',
    'challenge: approved with code 1234, declined with 0000',
    'banken frågar: godkänd med kod 1234, nekad med 0000',
  ),
  card(
    '4000000000001000',
    'frictionless, authenticated: approved',
    'utan fråga, verifierad: godkänd',
  ),
  card(
    '4000000000001018',
    'frictionless, not authenticated: declined',
    'utan fråga, inte verifierad: nekad',
  ),
  card(
    '4000000000001026',
    'frictionless, attempted: approved',
    'utan fråga, försök till verifiering: godkänd',
  ),
  card(
    '4000000000001034',
    'frictionless, unavailable: approved',
    'utan fråga, kan inte verifiera: godkänd',
  ),
  card(
    '4000000000001042',
    'frictionless, rejected by the bank: declined',
    'utan fråga, avvisad av banken: nekad',
  ),
  card(
    '4000000000001059',
    'frictionless, no card record: approved',
    'utan fråga, okänt kort: godkänd',
  ),
  card(
    '4000000000001067',
    'frictionless, protocol error: failed',
    'utan fråga, protokollfel: misslyckad',
  ),
  card(
    '4000000000001075',
    'frictionless, no answer within 5 seconds: failed',
    'utan fråga, inget svar inom 5 sekunder: misslyckad',
  ),
  card('4000000000001083', 'bypassed by a rule: approved', 'undantagen enligt en regel: godkänd'),
  card(
    '4000000000001109',
    'challenge, not authenticated: declined',
    'banken frågar, inte verifierad: nekad',
  ),
  card(
    '4000000000001117',
    'challenge, unavailable: approved',
    'banken frågar, kan inte verifiera: godkänd',
  ),
  card(
    '4000000000001125',
    'challenge, protocol error: failed',
    'banken frågar, protokollfel: misslyckad',
  ),
  card(
    '4000000000001133',
    'challenge, no answer: cancel the payment yourself',
    'banken frågar, inget svar: avbryt betalningen själv',
  ),
  card(
    '4000000000001141',
    'challenge, cancelled by the payer: not paid',
    'banken frågar, betalaren avbryter: inte betald',
  ),
  card(
    '4000000000001158',
    'challenge, answer after 10 seconds: approved',
    'banken frågar, svar efter 10 sekunder: godkänd',
  ),
  card(
    '4000000000001166',
    'challenge, answer sent twice: approved once',
    'banken frågar, svaret skickas två gånger: godkänd en gång',
  ),
  card(
    '4000000000001174',
    'challenge, forged answer: not paid',
    'banken frågar, svaret är förfalskat: inte betald',
  ),
  card(
    '4000000000001182',
    '3-D Secure is not enabled for the shop: failed',
    'butiken saknar 3-D Secure: misslyckad',
  ),
  card(
    '4000000000001190',
    'soft decline, then challenge: approved',
    'nekad först, sedan frågar banken: godkänd',
  ),
]
