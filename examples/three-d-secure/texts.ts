import type { Texts } from '../shared/texts.ts'

const en = {
  yourBank: 'Your bank opens',
  bankClosed: 'The bank has answered',
  cardsText: 'No money moves. Results of the test cards:',
  fillIn: 'Fill in',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  yourBank: 'Din bank öppnas',
  bankClosed: 'Banken har svarat',
  cardsText: 'Inga pengar flyttas. Testkortens resultat:',
  fillIn: 'Fyll i',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
