import pLimit from 'p-limit'
import type { Logger } from '../domain/ambient.ts'
import { performance } from '../domain/timers.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { ClockTime, DueItem, DueKind, DueResult, DueScope } from './due.ts'

/** Due item and its result; `failed` if it threw an error, which is logged. */
export type CompletedItem = { readonly due: DueItem } & (
  | { readonly outcome: DueResult | undefined }
  | { readonly failed: true }
)

/** Items that a moved clock starts together. */
type DueUnit = readonly DueItem[]

/** Queue of the due work of one kind. */
export interface DueQueue {
  readonly kind: string
  /** Finds the first due item, running or not; items that failed shortly before are skipped. */
  first(scope: DueScope): Promise<DueItem | undefined>
  /** Returns the units of a moment, which run one after the other. @param due the first item */
  listUnits(due: DueItem, scope: DueScope): Promise<readonly DueUnit[]>
  /** Runs an item; never throws. In this process, an item runs once at a time. */
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
  readonly getTime: ClockTime
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

interface RunningItem {
  readonly due: DueItem
  readonly done: Promise<CompletedItem>
}

export function createDueQueue(
  kind: DueKind,
  { queries, logger, scopes, getTime, ending }: DueQueueDependencies,
): DueQueue {
  const running = new Set<RunningItem>()
  /** Times of the next attempts, on the machine's monotonic clock. */
  const postponed = new Map<number, number>()

  function find(scope: DueScope, limit: number, without: readonly number[] = []) {
    for (const [id, until] of postponed) if (until <= performance.now()) postponed.delete(id)
    return kind.first(queries, { ...scope, without: [...postponed.keys(), ...without] }, limit)
  }

  function start(due: DueItem): Promise<CompletedItem> {
    // A kind that claims its items does not claim one twice.
    const known = kind.claimDue ? undefined : [...running].find((each) => each.due.id === due.id)
    if (known) return known.done
    const item = { due, done: run(due).finally(() => running.delete(item)) }
    running.add(item)
    return item.done
  }

  async function run(due: DueItem): Promise<CompletedItem> {
    try {
      return { due, outcome: await kind.run(due, ending) }
    } catch (error) {
      postponed.set(due.id, performance.now() + RETRY_FAILED_MS)
      if (!ending.aborted)
        logger.error({ kind: kind.kind, due, err: error }, 'Due work failed and will be retried')
      return { due, failed: true }
    }
  }

  async function startDue() {
    for (const due of ending.aborted ? [] : await startable())
      void start(due).then((done) => {
        if (!('failed' in done) && done.outcome === undefined)
          postponed.set(due.id, performance.now() + RETRY_DUE_MS)
        passes.request().catch(() => {})
      })
  }

  async function startable(): Promise<readonly DueItem[]> {
    if (kind.claimDue) return kind.claimDue(getTime)
    const all = scopes()
    const until = Math.max(...all.map((scope) => scope.until))
    // A single query if nothing is due, for any number of merchants with their own clocks.
    if (running.size > 0 || (all.length > 2 && !(await find({ until }, 1))[0])) return []
    for (const scope of all) {
      const found = await find(scope, 1)
      if (found.length > 0) return found
    }
    return []
  }

  const passes = createPasses(startDue)

  return {
    kind: kind.kind,
    first: async (scope) => (await find(scope, 1))[0],
    async listUnits(due, scope) {
      // A webhook calls a shop, which may create work that comes before the next webhook.
      if (kind.claimWith) return [await kind.claimWith(due)]
      const found = await find({ ...scope, until: due.at }, SAME_MOMENT)
      return found.map((each) => [each])
    },
    start,
    fill: passes.request,
    clearFailures: () => postponed.clear(),
    async whenIdle(isOf = () => true) {
      await passes.whenDone().catch(() => {})
      const ours = [...running].filter(({ due }) => isOf(due.merchantId))
      await Promise.all(ours.map(({ done }) => done))
      return ours.length > 0
    },
  }
}

/** Runs a task in passes, one at a time: all requests during a pass share the next one. */
export function createPasses(pass: () => Promise<void>) {
  const limit = pLimit(1)
  let last: Promise<void> = Promise.resolve()
  return {
    /** @returns a promise of the end of a pass that started after this call */
    request(): Promise<void> {
      if (limit.pendingCount === 0) last = limit(pass)
      return last
    },
    /** Resolves when all requested passes have ended. */
    whenDone: () => last,
  }
}
