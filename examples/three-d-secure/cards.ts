import type { Language } from '../shared/texts.ts'

/**
 * A test card and what becomes of a payment with it. Every other brand has the same 20: see
 * docs/reference/settings.md.
 */
export interface TestCard {
  readonly number: string
  readonly outcome: Readonly<Record<Language, string>>
}

const card = (number: string, en: string, sv: string): TestCard => ({ number, outcome: { en, sv } })

export const TEST_CARDS: readonly TestCard[] = [
  card(
    '4000000000001091',
    'asks on its page: code 1234 pays, 0000 does not',
    'frågar på sin sida: kod 1234 betalar, 0000 inte',
  ),
  card(
    '4000000000001000',
    'knows the payer without asking: paid',
    'känner igen betalaren utan att fråga: betalt',
  ),
  card('4000000000001018', 'does not know the payer: refused', 'känner inte igen betalaren: nekas'),
  card('4000000000001026', 'attempted it: paid', 'gjorde ett försök: betalt'),
  card('4000000000001034', 'cannot now: paid', 'kan inte just nu: betalt'),
  card('4000000000001042', 'rejects: refused', 'avvisar: nekas'),
  card('4000000000001059', 'does not take part: paid', 'är inte med: betalt'),
  card('4000000000001067', 'answers with an error: failed', 'svarar med ett fel: misslyckas'),
  card('4000000000001075', 'is silent for 5 seconds: failed', 'är tyst i 5 sekunder: misslyckas'),
  card('4000000000001083', 'is passed by, by a rule: paid', 'förbigås enligt en regel: betalt'),
  card('4000000000001109', 'asks, and says no: refused', 'frågar och säger nej: nekas'),
  card('4000000000001117', 'asks, and breaks off: paid', 'frågar och avbryter: betalt'),
  card(
    '4000000000001125',
    'asks, and answers with an error: failed',
    'frågar och svarar med ett fel: misslyckas',
  ),
  card(
    '4000000000001133',
    'asks, and never answers: cancel it',
    'frågar och svarar aldrig: avbryt',
  ),
  card(
    '4000000000001141',
    'asks, and the payer cancels: not paid',
    'frågar, och betalaren avbryter: inte betalt',
  ),
  card(
    '4000000000001158',
    'asks, and answers 10 seconds later: paid',
    'frågar och svarar 10 sekunder senare: betalt',
  ),
  card(
    '4000000000001166',
    'asks, and answers twice: paid once',
    'frågar och svarar två gånger: betalt en gång',
  ),
  card(
    '4000000000001174',
    'asks; its answer is forged: not paid',
    'frågar; svaret är förfalskat: inte betalt',
  ),
  card(
    '4000000000001182',
    'none: the shop has no 3-D Secure: failed',
    'ingen: butiken saknar 3-D Secure: misslyckas',
  ),
  card(
    '4000000000001190',
    'asks only when the payment demands it: paid',
    'frågar först när betalningen kräver det: betalt',
  ),
]
