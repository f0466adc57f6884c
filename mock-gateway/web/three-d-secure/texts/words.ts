import type { AskedWords } from './asked-words.ts'
import type { sv } from './sv.ts'

/** Texts of the 3-D Secure pages. */
export type BankTexts = Readonly<
  Record<Exclude<keyof typeof sv, 'results' | 'questions'>, string>
> &
  AskedWords
