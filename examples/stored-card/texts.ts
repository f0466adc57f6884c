import type { Texts } from '../shared/texts.ts'

const en = {
  title: 'Checkout – Kaffekvarnen',
  yourCard: 'Pay with your card',
  endingIn: 'ending in',
  expires: 'Expires',
  withThisCard: 'with this card',
  remove: 'Remove the card',
  anotherCard: 'Pay with another card',
  remember: 'Remember the card for next time',
  rememberHint: 'The payment service keeps it. The shop gets a key that only this shop can use.',
  keptCard: 'Next time you can pay with',
  keptCardWay: 'without typing anything.',
  removed: 'The card is removed.',
  testText:
    'No money moves. Pay with 4111\u00a01111\u00a01111\u00a01111, any future date and the security code 200.',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  title: 'Kassa – Kaffekvarnen',
  yourCard: 'Betala med ditt kort',
  endingIn: 'som slutar på',
  expires: 'Giltigt till',
  withThisCard: 'med det här kortet',
  remove: 'Ta bort kortet',
  anotherCard: 'Betala med ett annat kort',
  remember: 'Kom ihåg kortet till nästa gång',
  rememberHint: 'Betaltjänsten behåller det. Butiken får en nyckel som bara den kan använda.',
  keptCard: 'Nästa gång kan du betala med',
  keptCardWay: 'utan att skriva något.',
  removed: 'Kortet är borttaget.',
  testText:
    'Inga pengar flyttas. Betala med 4111\u00a01111\u00a01111\u00a01111, ett framtida datum och koden 200.',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
