import type { Response } from 'express'
import type { Logger } from '../../domain/ambient.ts'
import { performance, timers } from '../../domain/timers.ts'

/** Logged facts of a request, see `RequestFacts`. */
interface TurnFacts {
  readonly request_id?: string
  readonly method?: string
  readonly route?: string | null
  readonly merchant_id?: number | null
}

/** Milliseconds for which a request may block the others (our decision). */
const LIMIT_MS = 500

/** Interval of the checks that the event loop runs, in milliseconds. */
const LOOK_MS = 200

/**
 * Creates a watchdog of this thread, which reports a blocked event loop with the request that
 * blocked it: requests announce each piece of their work, so the last one before the pause is the
 * cause. It only reads the clock, so its cost per request is too small to measure. It reports a
 * pause only if this thread was working for as long: a busy or sleeping machine does not count.
 */
export function createWatchdog(logger: Logger, getFacts: (response: Response) => TurnFacts) {
  let busy = process.threadCpuUsage()
  const threadWatch = createThreadWatch(
    () => performance.now(),
    LIMIT_MS,
    (blocked, working: Response | undefined) => {
      const { user, system } = process.threadCpuUsage(busy)
      if ((user + system) / 1000 < LIMIT_MS) return
      const {
        request_id = null,
        method = null,
        route = null,
        merchant_id = null,
      } = working ? getFacts(working) : {}
      const facts = { blocked_ms: Math.round(blocked), request_id, method, route, merchant_id }
      logger.warn(facts, `The event loop was blocked for ${facts.blocked_ms} ms`)
    },
  )

  const timer = timers
    .setInterval(() => {
      threadWatch.begin(undefined)
      busy = process.threadCpuUsage()
    }, LOOK_MS)
    .unref()
  return { threadWatch, close: () => timers.clearInterval(timer) }
}

/** Tracks which caller is working on a thread, to name the one that blocked it. */
export interface ThreadWatch<Who> {
  /** @param who undefined: none */
  begin(who: Who | undefined): void
  /** Returns a function that marks the start of the caller's turn. */
  of(who: Who): () => void
}

/**
 * @param getTime milliseconds of a monotonic clock
 * @param limit maximum duration of a turn, in milliseconds
 * @param tell receives the duration of a longer turn in milliseconds, and its caller
 */
export function createThreadWatch<Who>(
  getTime: () => number,
  limit: number,
  tell: (milliseconds: number, who: Who | undefined) => void,
): ThreadWatch<Who> {
  let began = getTime()
  let working: Who | undefined
  function begin(who: Who | undefined): void {
    const now = getTime()
    if (now - began > limit) tell(now - began, working)
    began = now
    working = who
  }
  return { begin, of: (who) => () => begin(who) }
}
