import type { DueItem, DueKind, DueResult, DueScope } from '../../../mock-gateway/scheduler/due.ts'

/** Kind of due work whose items are in memory. */
export interface TestKind extends DueKind {
  readonly due: DueItem[]
  /** Processed items in their order. */
  readonly done: DueItem[]
  /** Returns the number of queries for due work. */
  readonly asked: () => number
}

/**
 * Creates a kind of due work.
 * @param run processes one due item, which is no longer due afterwards unless `run` throws
 */
export function testKind(
  kind: string,
  run: (
    due: DueItem,
    ending: AbortSignal,
  ) => Promise<DueResult | undefined> | DueResult | undefined = () => ({
    what: 'done',
  }),
): TestKind {
  const due: DueItem[] = []
  const done: DueItem[] = []
  let asked = 0
  return {
    kind,
    due,
    done,
    asked: () => asked,
    async first(_queries, scope, limit) {
      asked += 1
      return due
        .filter((each) => isIn(scope, each))
        .sort((a, b) => a.at - b.at || a.id - b.id)
        .slice(0, limit)
    },
    async run(each, ending) {
      const outcome = await run(each, ending)
      due.splice(due.indexOf(each), 1)
      done.push(each)
      return outcome
    },
  }
}

const isIn = ({ until, merchantId, except = [], without = [] }: DueScope, due: DueItem): boolean =>
  due.at <= until &&
  (merchantId === undefined || due.merchantId === merchantId) &&
  !except.includes(due.merchantId) &&
  !without.includes(due.id)
