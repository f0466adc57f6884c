import type { Purchase } from '../purchase.ts'
import { type Action, joinActions, type Stage } from '../stage.ts'
import { mustBeFulfilledOnce, mustNotBeFulfilled } from '../steps/orders.ts'

/** A situation from production, and the result that a shop must reach. */
export interface CheckCase {
  readonly name: string
  readonly done: string
  readonly must: string
  /** Why it happens in the field. */
  readonly why: string
  /** True: it touches clock, outcomes or faults, so no other case acts or waits meanwhile. */
  readonly isAlone?: true
  /** @param unrecorded the same stage, for steps that the story of the case leaves out */
  run(stage: Stage, unrecorded: Stage): Promise<void>
}

/** The result that a case requires. */
interface Requirement<Bought = Purchase> {
  readonly says: string
  readonly judge: Action<Bought>
}

/** Results that several cases require. */
export const ONCE: Requirement = {
  says: 'The order is fulfilled once, with the paid amount and currency.',
  judge: (stage, purchase) => mustBeFulfilledOnce(stage, purchase),
}
export const NEVER: Requirement = { says: 'The order is not fulfilled.', judge: mustNotBeFulfilled }

/** Events of a case with one purchase, and its requirements. */
interface CaseEvents<Bought> extends Pick<CheckCase, 'isAlone'> {
  /** Starts the purchase. */
  readonly begin: (stage: Stage) => Promise<Bought>
  /** Steps of all cases of a table, before the steps of each row. */
  readonly first?: readonly Action<Bought>[]
  readonly steps: readonly Action<Bought>[]
  readonly must: Requirement<Bought>
  /** Requirements that are judged last. */
  readonly also?: readonly Action<Bought>[]
  /** Runs at the end, also after a failure. */
  readonly end?: Action<Bought>
}

type CaseRow<Bought> = Pick<CheckCase, 'done' | 'why'> & Partial<CaseEvents<Bought>>

/**
 * Creates cases from rows by their names.
 * @param usual events of the rows that do not have their own
 */
export const createCases = <Bought>(
  usual: Pick<CaseEvents<Bought>, 'begin' | 'must'> & Partial<CaseEvents<Bought>>,
  rows: Readonly<Record<string, CaseRow<Bought>>>,
): readonly CheckCase[] =>
  Object.entries(rows).map(([name, row]) => {
    const { begin, first = [], steps = [], must, also = [], end, isAlone } = { ...usual, ...row }
    const act = joinActions(...first, ...steps, must.judge, ...also)
    return {
      ...{ name, done: row.done, must: must.says, why: row.why, ...(isAlone && { isAlone }) },
      async run(stage) {
        const purchase = await begin(stage)
        try {
          await act(stage, purchase)
        } finally {
          await end?.(stage, purchase)
        }
      },
    }
  })
