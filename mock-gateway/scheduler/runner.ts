import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../domain/logger.ts'
import type { Database } from '../storage/database.ts'
import type { Clocks } from './clocks.ts'
import type { DueKind, DueScope } from './due.ts'
import { createDueQueue, type DueQueue } from './due-queue.ts'
import { createPassRunner } from './passes.ts'

/** Runs due work as time passes. */
export interface Runner {
  /** Searches for due work now, for example after a commit. */
  wake(): void
  /** Resolves when all has begun of which somebody has said so far that it may be due. */
  whenCaughtUp(): Promise<void>
  readonly queues: readonly DueQueue[]
  /** Ends it: nothing more is begun, and what is under way has two seconds. */
  stop(): Promise<void>
}

/** Parts of the runner. */
export interface RunnerDependencies {
  readonly database: Database
  readonly clocks: Clocks
  /** In the order in which they are done at one moment. */
  readonly kinds: readonly DueKind[]
  readonly logger: Logger
}

/**
 * Milliseconds between two looks when nobody wakes the runner: things fall due by time alone, too.
 */
const SEARCH_MS = 1_000

/** Milliseconds that what is under way has when the gateway closes. */
const STOP_MS = 2_000

/** Looks at once, when it is woken, and once a second; it keeps no process alive. */
export function createRunner({ database, clocks, kinds, logger }: RunnerDependencies): Runner {
  const ending = new AbortController()
  const { signal } = ending
  const queues = kinds.map((kind) =>
    createDueQueue(kind, { queries: database.db, logger, scopes, ending: signal }),
  )
  let isUnavailable = false

  /**
   * Those who share the common clock, and each merchant with one of its own; not those whose clock
   * is being moved.
   */
  function scopes(): readonly DueScope[] {
    const owners = clocks.owners()
    return [
      ...(clocks.isMoving() ? [] : [{ until: clocks.now(), except: owners }]),
      ...owners
        .filter((id) => !clocks.isMoving(id))
        .map((id) => ({ until: clocks.now(id), merchantId: id })),
    ]
  }

  const looks = createPassRunner(async () => {
    if (signal.aborted) return
    try {
      // One after the other, on one connection: nobody waits for a look, and others need the rest.
      for (const queue of queues) await queue.fill()
      isUnavailable = false
    } catch (error) {
      // Said once: the next look is in a second.
      if (!isUnavailable && !signal.aborted) logger.error({ err: error })
      isUnavailable = true
    }
  })

  async function everySecond() {
    for (;;) {
      await looks.request()
      await pause(SEARCH_MS, undefined, { ref: false, signal })
      await clocks.reload().catch(() => {})
    }
  }
  const ended = everySecond().catch(() => {})

  return {
    wake() {
      if (!signal.aborted) void looks.request()
    },
    whenCaughtUp: looks.whenRequestedDone,
    queues,
    async stop() {
      ending.abort()
      const settled = Promise.all([
        ended,
        looks.whenRequestedDone(),
        ...queues.map((queue) => queue.whenIdle()),
      ])
      await Promise.race([settled, pause(STOP_MS, undefined, { ref: false })])
    },
  }
}
