import type { ChoiceAnswer, QuestionKind, StepOf } from '../../domain/card/bank-questions.ts'
import type { AuthenticationResult } from '../../domain/card/three-d-secure.ts'
import type { Locale } from '../../domain/language/languages.ts'
import { en } from './texts/en.ts'
import { sv } from './texts/sv.ts'

/** Texts of the 3-D Secure pages. */
export type BankTexts = Readonly<
  Record<Exclude<keyof typeof sv, 'results' | 'questions'>, string>
> &
  AskedWords

/** Texts of results and challenge types, required in every language. */
export interface AskedWords {
  readonly results: Readonly<Record<AuthenticationResult, string>>
  readonly questions: {
    readonly [Kind in QuestionKind]: {
      readonly title: string
      /** Text of a wrong answer; empty if there can be none. */
      readonly wrong: string
      /** Text of each step. */
      readonly says: Readonly<Record<StepOf<Kind>, string>>
      readonly answers: Readonly<Record<ChoiceAnswer<Kind>, string>>
    }
  }
}

/** Texts of the 3-D Secure pages by language. */
export const TEXTS: Readonly<Record<Locale, BankTexts>> = { sv, en }
