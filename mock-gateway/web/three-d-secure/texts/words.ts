import type { AskedWords } from './asked-words.ts'
import type { sv } from './sv.ts'

/** Words of the pages of 3-D Secure. */
export type BankTexts = Readonly<
  Record<Exclude<keyof typeof sv, 'results' | 'questions'>, string>
> &
  AskedWords
