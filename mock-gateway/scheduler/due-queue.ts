import type { Logger } from '../domain/logger.ts'
import { performance } from '../domain/timers.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { DueItem, DueKind, DueResult, DueScope } from './due.ts'
import { createPassRunner } from './passes.ts'

/** Due item and its result; `failed` if it threw an error, which is logged. */
export type CompletedItem = { readonly due: DueItem } & (
  | { readonly outcome: DueResult | undefined }
  | { readonly failed: true }
)

/** Items that a moved clock starts together. */
export type DueUnit = readonly DueItem[]

/** Queue of the due work of one kind. In this process, an item runs once at a time. */
export interface DueQueue {
  readonly kind: string
  /**
   * Finds the first due items, running or not, in units that run one after the other; failed items
   * are skipped. All units have the same moment.
   */
  next(scope: DueScope): Promise<readonly DueUnit[]>
  /** Runs an item, or waits for it if it is already running; never throws. */
  start(due: DueItem): Promise<CompletedItem>
  /** Starts as many due items as can run in parallel, and the next ones as these end. */
  fill(): Promise<void>
  /** Lets failed items be retried immediately. */
  clearFailures(): void
  /**
   * Resolves when no item of these merchants is running or about to start. @returns true if there
   * were any
   */
  whenIdle(isOf?: (merchantId: number) => boolean): Promise<boolean>
}

interface DueQueueDependencies {
  readonly queries: Queries
  readonly logger: Logger
  /** Scopes whose work runs automatically, with the end of each. */
  readonly scopes: () => readonly DueScope[]
  readonly ending: AbortSignal
}

/** Milliseconds (of the machine) before a failed item is retried. */
const RETRY_FAILED_MS = 30_000

/**
 * Milliseconds before an item that is still due after its run is retried: another process may be
 * running it.
 */
const RETRY_DUE_MS = 900

/** Maximum number of items of one moment that one search finds. */
const SAME_MOMENT = 16

export function createDueQueue(
  kind: DueKind,
  { queries, logger, scopes, ending }: DueQueueDependencies,
): DueQueue {
  const { atOnce = 1 } = kind
  const underWay = new Map<
    number,
    { readonly due: DueItem; readonly done: Promise<CompletedItem> }
  >()
  /** Time of the next attempt, on the machine's monotonic clock. */
  const failed = new Map<number, number>()
  const resting = new Map<number, number>()

  function first(scope: DueScope, limit: number) {
    for (const each of [failed, resting])
      for (const [id, until] of each) if (until <= performance.now()) each.delete(id)
    const without = [...underWay.keys(), ...failed.keys(), ...resting.keys()]
    return kind.first(queries, { ...scope, without }, limit)
  }

  async function next(scope: DueScope): Promise<readonly DueUnit[]> {
    const unfailed = { ...scope, without: [...failed.keys()] }
    if (kind.firstTogether) {
      // A webhook calls a shop, which may create work that comes before the next webhook.
      const unit = await kind.firstTogether(queries, unfailed)
      return unit.length === 0 ? [] : [unit]
    }
    const dues = await kind.first(queries, unfailed, SAME_MOMENT)
    return dues.filter(({ at }) => at === dues[0]?.at).map((due) => [due])
  }

  function start(due: DueItem): Promise<CompletedItem> {
    const known = underWay.get(due.id)
    if (known) return known.done
    const done = runItem(due)
    underWay.set(due.id, { due, done })
    return done
  }

  async function runItem(due: DueItem): Promise<CompletedItem> {
    // The item has to be in `underWay` first.
    await undefined
    try {
      const outcome = await kind.run(due, ending)
      if (outcome === undefined) resting.set(due.id, performance.now() + RETRY_DUE_MS)
      return { due, outcome }
    } catch (error) {
      failed.set(due.id, performance.now() + RETRY_FAILED_MS)
      if (!ending.aborted)
        logger.error({ kind: kind.kind, due, err: error }, 'Due work failed and will be retried')
      return { due, failed: true }
    } finally {
      underWay.delete(due.id)
    }
  }

  async function fillOnce() {
    for (const scope of scopes()) {
      const room = atOnce - underWay.size
      if (room <= 0 || ending.aborted) return
      for (const due of await first(scope, room))
        void start(due)
          .then(fills.request)
          .catch(() => {})
    }
  }
  const fills = createPassRunner(fillOnce)

  return {
    kind: kind.kind,
    next,
    start,
    /** Runs a single query if nothing is due, for any number of merchants with their own clocks. */
    async fill() {
      const all = scopes()
      if (all.length > 2) {
        const until = Math.max(...all.map((scope) => scope.until))
        if ((await first({ until }, 1)).length === 0) return
      }
      await fills.request()
    },
    clearFailures: () => failed.clear(),
    async whenIdle(isOf = () => true) {
      await fills.whenCurrentDone().catch(() => {})
      const ours = [...underWay.values()].filter(({ due }) => isOf(due.merchantId))
      await Promise.all(ours.map(({ done }) => done))
      return ours.length > 0
    },
  }
}
