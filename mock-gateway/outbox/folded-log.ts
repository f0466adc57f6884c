import type { LogEventRow } from '../storage/tables/log-events.ts'

/**
 * Most log events of a transaction (decision 40). A payment with captures, refunds and some tries has a dozen; whoever
 * has its page open, or pays in instalments of 0.01, could otherwise fill the database.
 */
export const MAX_LOG_EVENTS = 200

/** So many of the first are kept: how it began. The rest are the last ones: how it stands. */
const FIRST = 100

/** A log with its middle left out. */
export interface FoldedLog {
  readonly events: readonly LogEventRow[]
  /** Stands for what is left out, in the place of the first of them. */
  readonly fold: LogEventRow
  /** The event behind it. */
  readonly next: LogEventRow
}

/**
 * Leaves out the middle of a log that is too long, and counts what is left out, earlier times too.
 * @param events oldest first
 * @returns undefined when it is not too long
 */
export function foldLog(events: readonly LogEventRow[]): FoldedLog | undefined {
  if (events.length <= MAX_LOG_EVENTS) return undefined
  const last = events.slice(FIRST + 1 - MAX_LOG_EVENTS)
  const middle = events.slice(FIRST, -last.length)
  const count = middle.reduce((sum, { data }) => sum + (data.event === 'left_out' ? Number(data.count) : 1), 0)
  const [first] = middle
  const [next] = last
  if (!first || !next) return undefined
  const fold = { ...first, data: { event: 'left_out', count } }
  return { events: [...events.slice(0, FIRST), fold, ...last], fold, next }
}
