import { drawSeededBytes } from '../domain/chance.ts'
import { CheckEndedError } from './errors.ts'
import { describeOrder, type OrderView } from './order-view.ts'
import type { ShopUnderCheck } from './plan.ts'
import type { CheckTime } from './time.ts'

/** Kind of a step, from which the cause of a failure is found. */
export type StepKind =
  | 'buy'
  | 'pay'
  | 'decline'
  | 'press'
  | 'press declined'
  | 'press stored'
  | 'return'
  | 'forged return'
  | 'webhook'
  | 'webhook again'
  | 'webhooks together'
  | 'interrupted webhook'
  | 'lose webhooks'
  | 'forged webhook'
  | 'changed amount'
  | 'changed currency'
  | 'declined capture'
  | 'refund'
  | 'fault'
  | 'late'
  | 'other'
  | 'end'

/** Notes the status of an answer of the shop; 0 for none, undefined if it is not known. */
export type Note = (answer: number | undefined) => void

/** One step of a case; steps are in the order of their start. */
export interface Step {
  /** Time of this machine. */
  readonly at: string
  readonly kind: StepKind
  readonly says: string
  /** The alterations of a forged webhook, or the kind of a fault. */
  readonly change?: string
  readonly answers: number[]
  /** State of the orders after it, such as "fulfilled 1, paid", with the shop's answers. */
  shows?: string
  /** The orders after it, by number. */
  orders?: ReadonlyMap<string, OrderView>
}

/** Longest pause in milliseconds that a seed puts before a step. */
const LONGEST_PAUSE = 30

/** Number of orders that are shown after a step: the last ones that were bought. */
const MOST_SHOWN = 3

/** How the steps of a case run, and whether they are recorded. */
export interface Recording {
  /** Records the steps and the orders after each. Default: nothing is recorded. */
  readonly isRecorded?: boolean
  /** Chooses the pauses before steps: steps that start together meet in another order. */
  readonly seed?: string | undefined
  /** Ends the case at the next step, or within one. */
  readonly signal?: AbortSignal | undefined
}

/** Records the steps of a case, and the shop's state after each. */
export type Story = ReturnType<typeof createStory>

/** @param bought gets the ids of the transactions, as for all cases of the check */
export function createStory(
  shop: Pick<ShopUnderCheck, 'order'>,
  { wait }: CheckTime,
  bought: Set<number>,
  { isRecorded = false, seed, signal }: Recording = {},
) {
  const steps: Step[] = []
  const refs = new Set<string>()
  const transactions = new Set<number>()
  let drawn = 0
  const ended = new Promise<never>((_resolve, reject) => {
    signal?.addEventListener('abort', () => reject(new CheckEndedError()), { once: true })
  })
  ended.catch(() => {})

  /** Runs an action without a step. It ends when the check is ended. */
  async function runUnrecorded<Result>(act: () => Promise<Result>): Promise<Result> {
    if (signal?.aborted) throw new CheckEndedError()
    return Promise.race([act(), ended])
  }
  /** Adds the last orders to a step. If one cannot be read, the case reports that, not the timeline. */
  async function showOrders(step: Step) {
    const last = [...refs].slice(-MOST_SHOWN)
    const read = async (ref: string) =>
      [ref, signal?.aborted ? undefined : await shop.order(ref).catch(() => undefined)] as const
    const seen = await Promise.all(last.map(read))
    step.orders = new Map(seen.flatMap(([ref, view]) => (view ? [[ref, view]] : [])))
    const shown = seen.map(([ref, view]) => `${ref}: ${view ? describeOrder(view) : 'no order'}`)
    const said = [describeAnswers(step.answers), ...shown].filter(Boolean)
    if (said.length > 0) step.shows = said.join('; ')
  }
  /** Waits for a time that the seed and the number of the step decide. */
  async function pauseBySeed(text: string) {
    drawn += 1
    await wait((drawSeededBytes(text, drawn, 1)[0] ?? 0) % LONGEST_PAUSE)
  }
  return {
    steps: steps as readonly Step[],
    /** Ids of the transactions of its purchases. */
    transactions: transactions as ReadonlySet<number>,
    runUnrecorded,
    /** Adds the state of the orders at the end, if it has changed since the last step. */
    async showEnd() {
      const step = createStep({ kind: 'end', says: 'The end.' })
      await showOrders(step)
      if (step.orders?.size && !steps.at(-1)?.shows?.endsWith(step.shows ?? '')) steps.push(step)
    },
    /** Remembers a purchase, whose order is shown after each step. */
    remember<Bought extends { readonly id: number; readonly payment_ref: string }>(
      purchase: Bought,
    ): Bought {
      refs.add(purchase.payment_ref)
      transactions.add(purchase.id)
      bought.add(purchase.id)
      return purchase
    },
    /** Runs a step. @param act gets a function that notes an answer of the shop */
    step: <Result>(
      given: StepKind | Pick<Step, 'kind' | 'change'>,
      says: string,
      act: (note: Note) => Promise<Result>,
    ): Promise<Result> =>
      runUnrecorded(async () => {
        const step = createStep({ ...(typeof given === 'object' ? given : { kind: given }), says })
        if (isRecorded) steps.push(step)
        if (seed !== undefined) await pauseBySeed(seed)
        try {
          return await act((answer) => {
            if (answer !== undefined) step.answers.push(answer)
          })
        } finally {
          if (isRecorded) await showOrders(step)
        }
      }),
  }
}

const createStep = (named: Pick<Step, 'kind' | 'says' | 'change'>): Step => ({
  ...named,
  at: new Date().toISOString(),
  answers: [],
})

/** Returns true for an answer with an error, or none. */
export const isError = (answer: number): boolean => answer >= 400 || answer === 0

function describeAnswers(answers: readonly number[]): string {
  const failed = [...new Set(answers.filter(isError))]
  if (failed.length === 0) return ''
  return `the shop answered ${failed.map((answer) => answer || 'nothing').join(' and ')}`
}
