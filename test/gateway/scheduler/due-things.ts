import type { DueResult, DueWork } from '../../../mock-gateway/scheduler/due.ts'
import type { DueItem, DueKind, DueScope } from '../../../mock-gateway/storage/due.ts'

/** Kind of due work whose items are in memory. */
export interface TestKind {
  readonly kind: DueKind
  readonly due: Omit<DueItem, 'kind'>[]
  /** Processed items in their order. */
  readonly done: DueItem[]
  /** Returns the number of queries for due work. */
  readonly asked: () => number
  readonly run: Run
}

type Run = (due: DueItem) => Promise<DueResult | undefined> | DueResult | undefined

/**
 * Creates a kind of due work.
 * @param run processes one due item, which is no longer due afterwards unless `run` throws
 */
export function testKind(kind: DueKind, run: Run = () => ({ what: 'done' })): TestKind {
  let asked = 0
  const due: Omit<DueItem, 'kind'>[] = []
  return {
    kind,
    get due() {
      asked += 1
      return due
    },
    done: [],
    asked: () => asked,
    run,
  }
}

/** Creates due work of these kinds, in the order of the list. Nothing is claimed. */
export const testWork = (kinds: readonly TestKind[]): DueWork => ({
  async find(_queries, { without, kinds: names, ...scope }) {
    const searched = kinds.filter(({ kind }) => names.includes(kind))
    const firsts = searched.flatMap(({ kind, due }) => {
      const [first] = due
        .filter((each) => isIn(scope, each))
        .filter(({ id }) => !without.some((each) => each.kind === kind && each.id === id))
        .toSorted((a, b) => a.at - b.at || a.id - b.id)
      return first ? [{ ...first, kind }] : []
    })
    return firsts.sort((a, b) => a.at - b.at)
  },
  claimWebhooks: async () => [],
  async run(item) {
    const kind = kinds.find((each) => each.kind === item.kind)
    const outcome = await kind?.run(item)
    kind?.due.splice(
      kind.due.findIndex(({ id }) => id === item.id),
      1,
    )
    kind?.done.push(item)
    return outcome
  },
})

const isIn = (
  { until, merchantId, except = [] }: DueScope,
  due: Pick<DueItem, 'at' | 'merchantId'>,
): boolean =>
  due.at <= until &&
  (merchantId === undefined || due.merchantId === merchantId) &&
  !except.includes(due.merchantId)
