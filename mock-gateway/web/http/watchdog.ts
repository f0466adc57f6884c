import type { Response } from 'express'
import type { Logger } from '../../domain/logger.ts'
import { exchangeOf } from './exchange.ts'
import { factsOf } from './request-facts.ts'

/** Milliseconds that nobody else may wait (our decision). */
const LIMIT_MS = 500

/** How often it is seen that the event loop runs, in milliseconds. */
const LOOK_MS = 200

/**
 * Tells what kept the event loop from everybody else, and whose request it was: requests say when they go to work, so
 * whoever did so last before it stood still is the one.
 */
export interface Watchdog {
  /** The request of this answer goes on with its work. */
  at(response: Response): void
  close(): void
}

/**
 * A watchdog of this thread. It looks at the clock only, which costs a request less than can be measured. A machine that is
 * busy with something else, or asleep, is not told of: the process must have been at work for as long.
 */
export function createWatchdog(logger: Logger): Watchdog {
  let alive = performance.now()
  let busy = process.cpuUsage()
  let working: Response | undefined

  function look(next: Response | undefined): void {
    const now = performance.now()
    if (now - alive > LIMIT_MS) tell(now - alive)
    alive = now
    working = next
  }

  function tell(blocked: number): void {
    const { user, system } = process.cpuUsage(busy)
    if ((user + system) / 1000 < LIMIT_MS) return
    const facts = working && factsOf(working.req, working, exchangeOf(working))
    const { request_id = null, method = null, route = null, merchant_id = null } = facts ?? {}
    const told = { blocked_ms: Math.round(blocked), request_id, method, route, merchant_id }
    logger.warn(told, 'Nothing else was answered while this was worked on')
  }

  const timer = setInterval(() => {
    look(undefined)
    busy = process.cpuUsage()
  }, LOOK_MS).unref()
  return { at: look, close: () => clearInterval(timer) }
}
