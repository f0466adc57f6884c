/** A way in which the bank asks a payer. */
interface BankQuestion {
  /**
   * Where the payer answers: in a field, by choosing, or in an app elsewhere while the page waits.
   */
  readonly by: 'typing' | 'choosing' | 'app'
  /** More than one can be chosen: all that are right must be. */
  readonly several?: true
  /** The page shows a mark to be scanned with the app. */
  readonly scanned?: true
  /**
   * The steps in their order, and what the known answers give at each: right (what the plan has),
   * wrong (one try less), N (refused at once), or the name of the next step.
   */
  readonly steps: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/**
 * Every way in which the simulated bank asks, the usual one first (our decision). A further one is
 * a row here, a case of `three-d-secure-cases.ts` for its test card, and its words in each
 * language.
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

/** The name of a way to ask. */
export type QuestionKind = keyof Table

/** Kinds of which a payer chooses or presses an answer, so that it has words. */
type ChoiceKind = {
  [Kind in QuestionKind]: Table[Kind]['by'] extends 'typing' ? never : Kind
}[QuestionKind]

type KeyOf<Union> = Union extends unknown ? keyof Union & string : never

/** The steps of a question. */
export type StepOf<Kind extends QuestionKind> = keyof Table[Kind]['steps'] & string

/** The answers of a question that stand on a page. */
export type ChoiceAnswer<Kind extends QuestionKind> = Kind extends ChoiceKind
  ? KeyOf<Table[Kind]['steps'][keyof Table[Kind]['steps']]>
  : never

export const QUESTION_KINDS = Object.keys(BANK_QUESTIONS) as readonly QuestionKind[]

/** The row of a kind that is known only as the program runs. */
export const questionOf = (kind: QuestionKind = 'code'): BankQuestion => BANK_QUESTIONS[kind]

/** What ends any question: the payer cancels, or lets the time run out. */
export const ENDING_ANSWERS = ['cancel', 'timeout'] as const

/** The answers of a question at a step, and what each gives. */
export const answersAt = (
  kind: QuestionKind | undefined,
  step: string,
): Readonly<Record<string, string>> => questionOf(kind).steps[step] ?? {}

/** The step that a question begins with. */
export const firstStep = (kind: QuestionKind | undefined): string =>
  Object.keys(questionOf(kind).steps)[0] ?? ''

/**
 * What comes of an answer. What is typed or chosen is right when it is all that is right and
 * nothing else; an app gives only the answers that it has.
 * @param given one text, or all that were chosen
 * @returns 'right', 'wrong', 'N', or the step that follows; undefined when there is no such answer
 *   at this step
 */
export function judgeAnswer(
  kind: QuestionKind | undefined,
  step: string,
  given: readonly string[],
): string | undefined {
  const answers = answersAt(kind, step)
  const chosen = [...new Set(given)]
  const all = chosen.map((answer) =>
    Object.hasOwn(answers, answer) ? (answers[answer] ?? 'wrong') : 'wrong',
  )
  if (questionOf(kind).by === 'app')
    return all.length === 1 && all[0] !== 'wrong' ? all[0] : undefined
  if (all.includes('N')) return 'N'
  const right = Object.values(answers).filter((gives) => gives === 'right')
  return all.length === right.length && all.every((gives) => gives === 'right') ? 'right' : 'wrong'
}
