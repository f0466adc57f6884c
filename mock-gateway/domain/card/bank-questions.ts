/** A type of challenge of the simulated bank. */
interface BankQuestion {
  /** How the payer answers: in a field, by choosing, or in an app while the page waits. */
  readonly by: 'typing' | 'choosing' | 'app'
  /** The payer can choose several answers; all correct ones are required. */
  readonly several?: true
  /** The page shows a code to scan with the app. */
  readonly scanned?: true
  /**
   * The steps in order, with the known answers of each and their result: right (as the plan has
   * it), wrong (uses up one attempt), N (rejected immediately), or the name of the next step.
   */
  readonly steps: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Every challenge type of the simulated bank, the usual one first (our decision). A new one is a
 * row here, a case of `three-d-secure-cases.ts` for its test card, and its texts in each language.
 */
export const BANK_QUESTIONS = {
  code: { by: 'typing', steps: { asked: { '1234': 'right', '0000': 'N' } } },
  app: { by: 'app', steps: { waiting: { approve: 'right', deny: 'N' } } },
  choice: {
    by: 'choosing',
    steps: { asked: { cafe: 'right', train: 'wrong', books: 'wrong', shoes: 'wrong', none: 'N' } },
  },
  choices: {
    by: 'choosing',
    several: true,
    steps: { asked: { cafe: 'right', train: 'right', books: 'wrong', shoes: 'wrong', none: 'N' } },
  },
  bankid: {
    by: 'app',
    scanned: true,
    steps: { waiting: { scan: 'scanned' }, scanned: { sign: 'right', deny: 'N' } },
  },
} as const satisfies Readonly<Record<string, BankQuestion>>

type Table = typeof BANK_QUESTIONS

/** Name of a challenge type. */
export type QuestionKind = keyof Table

/** Challenge types whose answers are chosen or pressed, and so have texts. */
type ChoiceKind = {
  [Kind in QuestionKind]: Table[Kind]['by'] extends 'typing' ? never : Kind
}[QuestionKind]

type KeyOf<Union> = Union extends unknown ? keyof Union & string : never

/** The steps of a challenge. */
export type StepOf<Kind extends QuestionKind> = keyof Table[Kind]['steps'] & string

/** The answers that a page offers. */
export type ChoiceAnswer<Kind extends QuestionKind> = Kind extends ChoiceKind
  ? KeyOf<Table[Kind]['steps'][keyof Table[Kind]['steps']]>
  : never

export const QUESTION_KINDS = Object.keys(BANK_QUESTIONS) as readonly QuestionKind[]

/** Returns the row of a challenge type that is only known at run time. */
export const getBankQuestion = (kind: QuestionKind = 'code'): BankQuestion => BANK_QUESTIONS[kind]

/** Answers that end any challenge: the payer cancels, or the time runs out. */
export const ENDING_ANSWERS = ['cancel', 'timeout'] as const

/** Returns the answers at a step, with the result of each. */
export const listAnswersAt = (
  kind: QuestionKind | undefined,
  step: string,
): Readonly<Record<string, string>> => getBankQuestion(kind).steps[step] ?? {}

/** Returns the first step of a challenge. */
export const getFirstStep = (kind: QuestionKind | undefined): string =>
  Object.keys(getBankQuestion(kind).steps)[0] ?? ''

/**
 * Returns the result of an answer. Typed and chosen answers are right if they are exactly the
 * correct ones; an app gives only its own answers.
 * @param given one text, or every chosen answer
 * @returns 'right', 'wrong', 'N', or the next step; undefined if this step has no such answer
 */
export function judgeAnswer(
  kind: QuestionKind | undefined,
  step: string,
  given: readonly string[],
): string | undefined {
  const answers = listAnswersAt(kind, step)
  const chosen = [...new Set(given)]
  const all = chosen.map((answer) =>
    Object.hasOwn(answers, answer) ? (answers[answer] ?? 'wrong') : 'wrong',
  )
  if (getBankQuestion(kind).by === 'app')
    return all.length === 1 && all[0] !== 'wrong' ? all[0] : undefined
  if (all.includes('N')) return 'N'
  const right = Object.values(answers).filter((gives) => gives === 'right')
  return all.length === right.length && all.every((gives) => gives === 'right') ? 'right' : 'wrong'
}
