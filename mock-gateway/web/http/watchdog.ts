import type { Response } from 'express'
import type { Logger } from '../../domain/logger.ts'
import { createThreadWatch, type ThreadWatch } from '../../domain/thread-watch.ts'

/** Logged facts of a request, see `RequestFacts`. */
interface TurnFacts {
  readonly request_id?: string
  readonly method?: string
  readonly route?: string | null
  readonly merchant_id?: number | null
}

/** Milliseconds that nobody else may wait (our decision). */
const LIMIT_MS = 500

/** How often it is seen that the event loop runs, in milliseconds. */
const LOOK_MS = 200

/**
 * Tells what kept the event loop from everybody else, and whose request it was: requests say when
 * they go to work, so whoever did so last before it stood still is the one.
 */
export interface Watchdog {
  /** In which requests, by their answers, say that they go on with their work. */
  readonly threadWatch: ThreadWatch<Response>
  close(): void
}

/**
 * A watchdog of this thread. It looks at the clock only, which costs a request less than can be
 * measured. A machine that is busy with something else, or asleep, is not told of: this thread must
 * have been at work for as long.
 */
export function createWatchdog(
  logger: Logger,
  factsOf: (response: Response) => TurnFacts,
): Watchdog {
  let busy = process.threadCpuUsage()
  const threadWatch = createThreadWatch(
    performance,
    LIMIT_MS,
    (blocked, working: Response | undefined) => {
      const { user, system } = process.threadCpuUsage(busy)
      if ((user + system) / 1000 < LIMIT_MS) return
      const {
        request_id = null,
        method = null,
        route = null,
        merchant_id = null,
      } = working ? factsOf(working) : {}
      const told = { blocked_ms: Math.round(blocked), request_id, method, route, merchant_id }
      logger.warn(told, 'This work blocked all other requests')
    },
  )

  const timer = setInterval(() => {
    threadWatch.begin(undefined)
    busy = process.threadCpuUsage()
  }, LOOK_MS).unref()
  return { threadWatch, close: () => clearInterval(timer) }
}
