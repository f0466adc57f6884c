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
export const NEVER: Requirement = {
  says: 'The order is not fulfilled.',
  judge: mustNotBeFulfilled,
}

/** A case by its steps, which act on one purchase. */
interface CaseRow<Bought> extends Omit<CheckCase, 'must' | 'run'> {
  readonly steps: readonly Action<Bought>[]
  /** Default: the requirement of the table. */
  readonly must?: Requirement<Bought>
  /** Requirements that are judged last. */
  readonly also?: readonly Action<Bought>[]
}

/**
 * Creates cases that run their steps with one purchase.
 * @param begin starts the purchase
 * @param usual requirement of the cases that have none
 */
export const createCases = <Bought>(
  begin: (stage: Stage) => Promise<Bought>,
  usual: Requirement<Bought>,
  rows: readonly CaseRow<Bought>[],
): readonly CheckCase[] =>
  rows.map(({ steps, must = usual, also = [], ...row }) => ({
    ...row,
    must: must.says,
    run: async (stage) =>
      void (await joinActions(...steps, must.judge, ...also)(stage, await begin(stage))),
  }))
