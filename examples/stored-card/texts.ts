import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  yourCard: ['Pay with your card', 'Betala med ditt kort'],
  endingIn: ['ending in', 'som slutar på'],
  expires: ['Expires', 'Giltigt till'],
  withThisCard: ['with this card', 'med det här kortet'],
  remove: ['Remove the card', 'Ta bort kortet'],
  anotherCard: ['Pay with another card', 'Betala med ett annat kort'],
  remember: ['Remember the card for next time', 'Kom ihåg kortet till nästa gång'],
  rememberHint: [
    'The payment service keeps it. The shop gets a key that only this shop can use.',
    'Betaltjänsten behåller det. Butiken får en nyckel som bara den kan använda.',
  ],
  keptCard: ['Next time you can pay with', 'Nästa gång kan du betala med'],
  keptCardWay: ['without typing anything.', 'utan att skriva något.'],
  removed: ['The card is removed.', 'Kortet är borttaget.'],
  testText: [
    'No money moves. Pay with 4111\u00a01111\u00a01111\u00a01111, any future date and the security code 200.',
    'Inga pengar flyttas. Betala med 4111\u00a01111\u00a01111\u00a01111, ett framtida datum och koden 200.',
  ],
})
