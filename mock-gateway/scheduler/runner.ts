import pLimit from 'p-limit'
import type { Logger } from '../domain/ambient.ts'
import { performance, timers } from '../domain/timers.ts'
import type { Database } from '../storage/database.ts'
import { DUE_KINDS, type DueItem, type DueScope } from '../storage/due.ts'
import type { Clocks } from './clocks.ts'
import type { DueResult, DueWork } from './due.ts'

/** Due item and its result; `failed` if it threw an error, which is logged. */
export type CompletedItem = { readonly due: DueItem } & (
  | { readonly outcome: DueResult | undefined }
  | { readonly failed: true }
)

/** Runs due work as time passes. */
export interface Runner {
  /** Searches for due work now, for example after a commit. */
  wake(): void
  /** Resolves when all work that `wake` has announced so far is started. */
  whenCaughtUp(): Promise<void>
  /**
   * Finds the first due item of each kind, ordered by moment and kind, running or not. Items that
   * failed shortly before are skipped.
   */
  find(scope: DueScope): Promise<readonly DueItem[]>
  /** Runs an item; never throws. In this process, an item runs once at a time. */
  start(due: DueItem): Promise<CompletedItem>
  /** Lets failed items be retried immediately. */
  clearFailures(): void
  /**
   * Resolves when no item of these merchants is running or about to start. @returns true if there
   * were any
   */
  whenIdle(isOf: (merchantId: number) => boolean): Promise<boolean>
  /** Stops: starts nothing more, and gives running work two seconds. */
  stop(): Promise<void>
}

export interface RunnerDependencies {
  readonly database: Database
  readonly clocks: Clocks
  readonly work: DueWork
  readonly logger: Logger
}

/** Milliseconds between two searches: work also becomes due without a call of `wake`. */
const SEARCH_MS = 1_000

/** Milliseconds for running work to end when the gateway closes. */
const STOP_MS = 2_000

/** Milliseconds (of the machine) before a failed item is retried. */
const RETRY_FAILED_MS = 30_000

/**
 * Milliseconds before an item that is still due after its run is retried: another process may be
 * running it.
 */
const RETRY_DUE_MS = 900

/** Kinds whose items run one after the other. Webhooks are claimed instead. */
const OTHERS = DUE_KINDS.filter((kind) => kind !== 'webhook')

/**
 * Searches for work when it is woken and once a second; its timer does not keep the process alive.
 * Webhooks are sent in parallel, and all other work runs one item after the other.
 */
export function createRunner({ database, clocks, work, logger }: RunnerDependencies): Runner {
  const ending = new AbortController()
  const { signal } = ending
  /** Running items by kind and id. */
  const running = new Map<
    string,
    { readonly due: DueItem; readonly done: Promise<CompletedItem> }
  >()
  /** Items that are skipped until a time on the machine's monotonic clock. */
  const postponed = new Map<DueItem, number>()
  let isUnavailable = false

  function find(scope: DueScope, kinds = DUE_KINDS): Promise<readonly DueItem[]> {
    for (const [due, until] of postponed) if (until <= performance.now()) postponed.delete(due)
    return work.find(database.db, { ...scope, without: [...postponed.keys()], kinds })
  }

  /** Returns the common clock and each merchant's own, except those that are being moved. */
  const listScopes = (): DueScope[] =>
    [undefined, ...clocks.owners()]
      .filter((id) => !clocks.isMoving(id))
      .map((id) => createScope(clocks, id, clocks.now(id)))

  async function findNow(): Promise<DueItem | undefined> {
    const all = listScopes()
    const until = Math.max(...all.map((scope) => scope.until))
    // A single query if nothing is due, for any number of merchants with their own clocks.
    const found = all.length > 2 ? (await find({ until }, OTHERS)).map(({ kind }) => kind) : OTHERS
    for (const scope of found.length === 0 ? [] : all) {
      const [due] = await find(scope, found)
      if (due) return due
    }
    return undefined
  }

  function getTime(merchantId: number): number | undefined {
    const owner = clocks.has(merchantId) ? merchantId : undefined
    return clocks.isMoving(owner) ? undefined : clocks.now(merchantId)
  }

  function start(due: DueItem): Promise<CompletedItem> {
    const key = `${due.kind} ${due.id}`
    const known = running.get(key)
    if (known) return known.done
    const done = run(due).finally(() => running.delete(key))
    running.set(key, { due, done })
    return done
  }

  async function run(due: DueItem): Promise<CompletedItem> {
    try {
      return { due, outcome: await work.run(due) }
    } catch (error) {
      postponed.set(due, performance.now() + RETRY_FAILED_MS)
      if (!signal.aborted) logger.error({ due, err: error }, 'Due work failed and will be retried')
      return { due, failed: true }
    }
  }

  async function startDue(): Promise<void> {
    const isBusy = [...running.values()].some(({ due }) => due.kind !== 'webhook')
    const next = isBusy ? undefined : await findNow()
    for (const due of [...(next ? [next] : []), ...(await work.claimWebhooks(getTime))])
      void start(due).then((done) => {
        if (!('failed' in done) && done.outcome === undefined)
          postponed.set(due, performance.now() + RETRY_DUE_MS)
        wake()
      })
  }

  const search = createPasses(async () => {
    if (signal.aborted) return
    try {
      await startDue()
      isUnavailable = false
    } catch (error) {
      // Logged once: the next search is in a second.
      if (!isUnavailable && !signal.aborted)
        logger.error({ err: error }, 'The search for due work failed and will be retried')
      isUnavailable = true
    }
  })

  function wake() {
    if (!signal.aborted) void search.request()
  }

  async function everySecond() {
    for (;;) {
      await search.request()
      await timers.pause(SEARCH_MS, undefined, { ref: false, signal })
      await clocks.reload().catch(() => {})
    }
  }
  const ended = everySecond().catch(() => {})

  return {
    wake,
    whenCaughtUp: search.whenDone,
    find,
    start,
    clearFailures: () => postponed.clear(),
    async whenIdle(isOf) {
      await search.whenDone()
      const ours = [...running.values()].filter(({ due }) => isOf(due.merchantId))
      await Promise.all(ours.map(({ done }) => done))
      return ours.length > 0
    },
    async stop() {
      ending.abort()
      const all = [...running.values()].map(({ done }) => done)
      const settled = Promise.all([ended, search.whenDone(), ...all])
      await Promise.race([settled, timers.pause(STOP_MS, undefined, { ref: false })])
    },
  }
}

/** Chooses the merchants that use a clock. @param merchantId undefined: the common clock */
export const createScope = (
  clocks: Clocks,
  merchantId: number | undefined,
  until: number,
): DueScope =>
  merchantId === undefined ? { until, except: clocks.owners() } : { until, merchantId }

/** Runs a task in passes, one at a time: all requests during a pass share the next one. */
function createPasses(pass: () => Promise<void>) {
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
