import type { Texts } from '../shared/texts.ts'

const en = {
  yourBank: 'Your bank opens',
  bankClosed: 'The bank is done',
  cardsText: 'No money moves. What the bank of each card does:',
  fillIn: 'Fill in',
} as const

const sv: Readonly<Record<keyof typeof en, string>> = {
  yourBank: 'Din bank öppnas',
  bankClosed: 'Banken är klar',
  cardsText: 'Inga pengar flyttas. Så gör kortens bank:',
  fillIn: 'Fyll i',
}

/** The texts of this shop only; `shared/texts.ts` has the texts of every shop. */
export const TEXTS: Texts<keyof typeof en> = { en, sv }
