import { createTexts } from '../shared/texts.ts'

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS = createTexts({
  yourBank: ['Your bank opens', 'Din bank öppnas'],
  bankClosed: ['The bank has answered', 'Banken har svarat'],
  cardsText: [
    'No money moves. Results of the test cards:',
    'Inga pengar flyttas. Testkortens resultat:',
  ],
  fillIn: ['Fill in', 'Fyll i'],
})
