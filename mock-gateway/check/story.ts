import { drawSeededBytes } from '../domain/chance.ts'
import { CheckEndedError } from './errors.ts'
import { describeOrder, type OrderView } from './order-view.ts'

/** Kind of a step, from which the cause of a failure is found. */
export type StepKind =
  | 'buy'
  | 'pay'
  | 'decline'
  | 'return'
  | 'forged return'
  | 'webhook'
  | 'webhooks together'
  | 'lose webhooks'
  | 'forged webhook'
  | 'changed amount'
  | 'changed currency'
  | 'refund'
  | 'fault'
  | 'other'

/** One step of a case; steps are in the order of their start. */
export interface Step {
  /** Time of this machine. */
  readonly at: string
  readonly kind: StepKind
  readonly says: string
  /** The alterations of a forged webhook. */
  readonly change?: string
  /** The shop's answers: a status, or 0 if it did not answer. */
  readonly answers: number[]
  /** State of the orders after it, such as "fulfilled 1, paid", with the shop's answers. */
  shows?: string
  /** The orders after it, by number. */
  orders?: ReadonlyMap<string, OrderView>
}

/** Records the steps of a case, and the shop's state after each. */
export interface Story {
  readonly steps: readonly Step[]
  /** Ids of the transactions of its purchases. */
  readonly transactions: readonly number[]
  readonly isStopped: () => boolean
  /** Runs a step. @param act gets a function that notes an answer of the shop */
  step<Result>(
    kind: StepKind | { readonly kind: StepKind; readonly change: string },
    says: string,
    act: (note: (answer: number | undefined) => void) => Promise<Result>,
  ): Promise<Result>
  /** Remembers a purchase, whose order is shown after each step. */
  remember<Bought extends { readonly id: number; readonly paymentRef: string }>(
    purchase: Bought,
  ): Bought
  /** Runs a part that is not shown, and ends it with the check. */
  hidden<Result>(act: () => Promise<Result>): Promise<Result>
}

/** Longest pause in milliseconds that a seed puts before a step. */
const LONGEST_PAUSE = 30

interface StoryParts {
  /** Reads an order of the shop. */
  readonly order: (paymentRef: string) => Promise<OrderView>
  readonly wait: (milliseconds: number) => Promise<unknown>
  /** Chooses the pauses before steps: steps that start together meet in another order. */
  readonly seed: string | undefined
  /** Ends the case at the next step, or within one. */
  readonly signal: AbortSignal | undefined
}

export function createStory({ order, wait, seed, signal }: StoryParts): Story {
  const steps: Step[] = []
  const refs: string[] = []
  const transactions: number[] = []
  let drawn = 0
  const ended = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new CheckEndedError()), { once: true })
  })
  ended.catch(() => {})
  async function hidden<Result>(act: () => Promise<Result>): Promise<Result> {
    if (signal?.aborted) throw new CheckEndedError()
    return Promise.race([act(), ended])
  }
  async function pause() {
    if (seed === undefined) return
    drawn += 1
    await wait((drawSeededBytes(seed, drawn, 1)[0] ?? 0) % LONGEST_PAUSE)
  }
  /** If an order cannot be read, the case reports that, not the timeline. */
  async function show(step: Step) {
    const seen = await Promise.all(
      refs.map(async (ref) => [ref, await order(ref).catch(() => undefined)] as const),
    )
    step.orders = new Map(seen.flatMap(([ref, view]) => (view ? [[ref, view]] : [])))
    const shown = seen.map(([ref, view]) => `${ref}: ${view ? describeOrder(view) : 'no order'}`)
    const said = [describeAnswers(step.answers), ...shown].filter(Boolean)
    if (said.length > 0) step.shows = said.join('; ')
  }
  return {
    steps,
    transactions,
    isStopped: () => signal?.aborted === true,
    hidden,
    remember(purchase) {
      if (!refs.includes(purchase.paymentRef)) refs.push(purchase.paymentRef)
      transactions.push(purchase.id)
      return purchase
    },
    step: (given, says, act) =>
      hidden(async () => {
        const named = typeof given === 'object' ? given : { kind: given }
        const step: Step = { at: new Date().toISOString(), ...named, says, answers: [] }
        steps.push(step)
        await pause()
        try {
          return await act((answer) => {
            if (answer !== undefined) step.answers.push(answer)
          })
        } finally {
          await show(step)
        }
      }),
  }
}

/** Describes the answers that are not successes. */
function describeAnswers(answers: readonly number[]): string {
  const failed = [...new Set(answers.filter((answer) => answer >= 400 || answer === 0))]
  if (failed.length === 0) return ''
  return `the shop answered ${failed.map((answer) => answer || 'nothing').join(' and ')}`
}
