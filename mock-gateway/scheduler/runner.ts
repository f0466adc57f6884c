import type { Logger } from '../domain/ambient.ts'
import { timers } from '../domain/timers.ts'
import type { Database } from '../storage/database.ts'
import type { Clocks } from './clocks.ts'
import type { DueKind, DueScope } from './due.ts'
import { createDueQueue, createPasses, type DueQueue } from './due-queue.ts'

/** Runs due work as time passes. */
export interface Runner {
  /** Searches for due work now, for example after a commit. */
  wake(): void
  /** Resolves when all work that `wake` has announced so far is started. */
  whenCaughtUp(): Promise<void>
  readonly queues: readonly DueQueue[]
  /** Stops: starts nothing more, and gives running work two seconds. */
  stop(): Promise<void>
}

export interface RunnerDependencies {
  readonly database: Database
  readonly clocks: Clocks
  /** In the order in which they run at one moment. */
  readonly kinds: readonly DueKind[]
  readonly logger: Logger
}

/** Milliseconds between two searches: work also becomes due without a call of `wake`. */
const SEARCH_MS = 1_000

/** Milliseconds for running work to end when the gateway closes. */
const STOP_MS = 2_000

/**
 * Searches for work when it is woken and once a second; its timer does not keep the process alive.
 */
export function createRunner({ database, clocks, kinds, logger }: RunnerDependencies): Runner {
  const ending = new AbortController()
  const { signal } = ending
  const queues = kinds.map((kind) =>
    createDueQueue(kind, { queries: database.db, logger, scopes, getTime, ending: signal }),
  )
  let isUnavailable = false

  function getTime(merchantId: number): number | undefined {
    return clocks.isMoving(clocks.has(merchantId) ? merchantId : undefined)
      ? undefined
      : clocks.now(merchantId)
  }

  /** Returns the common clock and each merchant's own, except those that are being moved. */
  function scopes(): readonly DueScope[] {
    const owners = clocks.owners()
    return [
      ...(clocks.isMoving() ? [] : [{ until: clocks.now(), except: owners }]),
      ...owners
        .filter((id) => !clocks.isMoving(id))
        .map((id) => ({ until: clocks.now(id), merchantId: id })),
    ]
  }

  const search = createPasses(async () => {
    if (signal.aborted) return
    try {
      // Runs the searches in sequence on one connection: they are not urgent, and other queries
      // need the other connections.
      for (const queue of queues) await queue.fill()
      isUnavailable = false
    } catch (error) {
      // Logged once: the next search is in a second.
      if (!isUnavailable && !signal.aborted)
        logger.error({ err: error }, 'The search for due work failed and will be retried')
      isUnavailable = true
    }
  })

  async function everySecond() {
    for (;;) {
      await search.request()
      await timers.pause(SEARCH_MS, undefined, { ref: false, signal })
      await clocks.reload().catch(() => {})
    }
  }
  const ended = everySecond().catch(() => {})

  return {
    wake() {
      if (!signal.aborted) void search.request()
    },
    whenCaughtUp: search.whenDone,
    queues,
    async stop() {
      ending.abort()
      const settled = Promise.all([
        ended,
        search.whenDone(),
        ...queues.map((queue) => queue.whenIdle()),
      ])
      await Promise.race([settled, timers.pause(STOP_MS, undefined, { ref: false })])
    },
  }
}
