import type { LogEventRow } from '../storage/tables/log-events.ts'

/**
 * Highest number of log events of a transaction (decision 40). A payment with captures, refunds and
 * several attempts has a dozen. Without a limit, an open page or captures of 0.01 could fill the
 * database.
 */
export const MAX_LOG_EVENTS = 200

/** Number of events kept from the start of a log. The other kept events are the latest. */
const KEPT_AT_START = 100

/** Log without its middle. */
export interface FoldedLog {
  readonly events: readonly LogEventRow[]
  /** Event that replaces the omitted ones, in the place of the first of them. */
  readonly fold: LogEventRow
  /** Event after `fold`. */
  readonly next: LogEventRow
}

/**
 * Omits the middle of a log that is too long, and counts all events that were omitted so far.
 * @param events oldest first
 * @returns undefined if the log is short enough
 */
export function foldLog(events: readonly LogEventRow[]): FoldedLog | undefined {
  if (events.length <= MAX_LOG_EVENTS) return undefined
  const last = events.slice(KEPT_AT_START + 1 - MAX_LOG_EVENTS)
  const middle = events.slice(KEPT_AT_START, -last.length)
  const count = middle.reduce(
    (sum, { data }) => sum + (data.event === 'left_out' ? Number(data.count) : 1),
    0,
  )
  const [first] = middle
  const [next] = last
  if (!first || !next) return undefined
  const fold = { ...first, data: { event: 'left_out', count } }
  return { events: [...events.slice(0, KEPT_AT_START), fold, ...last], fold, next }
}
