import type { ChoiceAnswer, QuestionKind, StepOf } from '../../../domain/card/bank-questions.ts'
import type { AuthenticationResult } from '../../../domain/card/three-d-secure.ts'

/** What every language must say of what comes of it, and of how the bank asks. */
export interface AskedWords {
  readonly results: Readonly<Record<AuthenticationResult, string>>
  readonly questions: {
    readonly [Kind in QuestionKind]: {
      readonly title: string
      /** Of an answer that was wrong; empty where none can be. */
      readonly wrong: string
      /** What the payer reads at each step. */
      readonly says: Readonly<Record<StepOf<Kind>, string>>
      readonly answers: Readonly<Record<ChoiceAnswer<Kind>, string>>
    }
  }
}
