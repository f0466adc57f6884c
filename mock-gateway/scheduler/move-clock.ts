import { GatewayError } from '../domain/errors/errors.ts'
import { performance, timers } from '../domain/timers.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import { COMMON, hasData, insertClockMove, moveWaitingBack } from '../storage/clocks.ts'
import {
  addTimeSpan,
  type ClockMove,
  type ClockReport,
  type ClockView,
  type MoveLimits,
  type MoveOptions,
} from './clock-moves.ts'
import type { ClockMode } from './clocks.ts'
import type { ClockReportLine } from './due.ts'
import { type CompletedItem, createScope, type Runner, type RunnerDependencies } from './runner.ts'

/** The clocks, and the due work that they start. */
export interface Timeline extends RunnerDependencies {
  readonly runner: Runner
  readonly limits: MoveLimits
}

/** Last moment with a year of four digits. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

/** Implements `Scheduler`, like the functions below. */
export async function viewClock(timeline: Timeline, merchantId?: number): Promise<ClockView> {
  const { clocks } = timeline
  // Read before the search for the next item: a running clock would pass it meanwhile.
  const now = clocks.now(merchantId)
  const next = await findNext(timeline, merchantId, LAST_MOMENT)
  return { merchantId, mode: clocks.getMode(merchantId), now, next }
}

const findNext = ({ clocks, runner }: Timeline, merchantId: number | undefined, until: number) =>
  runner.find(createScope(clocks, merchantId, until))

export async function moveClock(
  timeline: Timeline,
  move: ClockMove,
  { merchantId, force = false }: MoveOptions,
): Promise<ClockReport> {
  const { clocks, database, limits, runner } = timeline
  const started = performance.now()
  const left = () => limits.milliseconds - (performance.now() - started)
  await clocks.reload()
  if (clocks.isMoving(merchantId)) throw createMovingError(timeline, merchantId)
  // Work that is already due runs at its own time, before the clock moves.
  do await withTimeout(left(), runner.whenCaughtUp())
  while ((await whenIdle(timeline, merchantId, left())) === true && left() > 0)
  const requested = clocks.now(merchantId)
  const to = await findTarget(timeline, move, requested, merchantId)
  const goesBack = to < requested
  if (goesBack && !force && (await hasData(database.db, merchantId, clocks.owners())))
    throw createMoveError('Some data have later dates. To move the clock back, send force=true.')
  const mode = calculateModeAfterMove(move, clocks.getMode(merchantId))
  await takeClock(timeline, merchantId)
  const progress: MoveProgress = { from: requested, at: undefined, happened: [], quiet: false }
  try {
    const trigger = move.kind === 'advance' ? move.until : undefined
    await runDueUntil(timeline, { to, trigger, goesBack, merchantId, left }, progress)
  } finally {
    await clocks.release(
      progress.quiet || mode !== 'real' ? mode : 'offset',
      progress.at ?? clocks.now(merchantId),
      merchantId,
    )
  }
  runner.wake()
  const { at, ...moved } = progress
  const seen = await viewClock(timeline, merchantId)
  // A running clock continued after its release: everything up to this moment is done.
  const now = at ?? seen.now
  const row = {
    merchant_id: merchantId ?? COMMON,
    kind: move.kind,
    from_at: moved.from,
    to_at: now,
  }
  // The clock has moved, whether or not the record of it can be stored.
  await database.writeUnflushed((queries) => insertClockMove(queries, row)).catch(() => {})
  return { ...seen, now, ...moved }
}

/** Acquires a clock. @throws GatewayError errors.request.bad_format if it is being moved */
export async function takeClock(timeline: Timeline, merchantId: number | undefined): Promise<void> {
  if (await timeline.clocks.acquire(merchantId)) return
  await timeline.clocks.reload()
  throw createMovingError(timeline, merchantId)
}

/** Waits until no work is running by a clock. @returns true if there was any, or `LATE` */
export async function whenIdle(
  { clocks, runner }: Timeline,
  merchantId: number | undefined,
  milliseconds: number,
) {
  const isAffected = (id: number) =>
    merchantId === undefined ? !clocks.has(id) : id === merchantId
  return withTimeout(milliseconds, runner.whenIdle(isAffected))
}

/** @throws GatewayError errors.request.bad_format (no such time) */
async function findTarget(
  timeline: Timeline,
  move: ClockMove,
  from: number,
  merchantId: number | undefined,
): Promise<number> {
  const to = await timeAfter(timeline, move, from, merchantId)
  if (to <= LAST_MOMENT && to >= 0) return to
  throw createMoveError('The time of a clock must be between 1970 and 9999.')
}

async function timeAfter(
  timeline: Timeline,
  move: ClockMove,
  from: number,
  merchantId: number | undefined,
): Promise<number> {
  const { clocks } = timeline
  if (move.kind === 'freeze') return move.at ?? from
  if (move.kind === 'set') return move.at
  if (move.kind === 'advance') return addTimeSpan(from, move.by)
  if (move.kind === 'next') {
    const [next] = await findNext(timeline, merchantId, LAST_MOMENT)
    return Math.max(from, next?.at ?? from)
  }
  if (!move.real) return from
  return merchantId === undefined ? clocks.machine() : clocks.now()
}

interface MoveTarget {
  readonly to: number
  /** The move ends at the moment of the first webhook with this trigger. */
  readonly trigger: Trigger | undefined
  /** True if the target is before the time at which the move was requested. */
  readonly goesBack: boolean
  readonly merchantId: number | undefined
  /** Returns the remaining milliseconds. */
  readonly left: () => number
}

interface MoveProgress {
  from: number
  /** Time of the clock; undefined before its first change. */
  at: number | undefined
  readonly happened: ClockReportLine[]
  /** True if everything due is done. */
  quiet: boolean
}

/** Runs the work due until a moment or a webhook, and adds each step to the progress. */
async function runDueUntil(
  timeline: Timeline,
  { to: target, trigger, goesBack, merchantId, left }: MoveTarget,
  progress: MoveProgress,
): Promise<void> {
  const { clocks, limits, runner } = timeline
  const { happened } = progress
  const isIdle = (await whenIdle(timeline, merchantId, left())) !== LATE
  // A running clock continued while it was acquired. Work that fell due meanwhile ran
  // automatically, before the move.
  const from = clocks.now(merchantId)
  progress.from = from
  if (!isIdle) return
  runner.clearFailures()
  let to = goesBack ? target : Math.max(target, from)
  const setClock = (at: number) => {
    progress.at = at
    return clocks.setTo(at, merchantId)
  }
  await setClock(Math.min(to, from))
  if (goesBack) await moveDueTimesBack(timeline, merchantId, from - to)
  for (;;) {
    const [due] = await findNext(timeline, merchantId, to)
    if (!due) {
      // Work that requests start meanwhile is not in the queues while it is running.
      const others = await whenIdle(timeline, merchantId, left())
      if (others === true) continue
      progress.quiet = others === false
      if (progress.quiet) progress.at = to
      return
    }
    if (happened.length >= limits.events || left() <= 0) return
    // Work that became due while no gateway was running is done now, in order.
    if (due.at > (progress.at ?? 0)) await setClock(due.at)
    const done = await withTimeout(left(), runner.start(due))
    if (done === LATE) return
    const line = createReportLine(done)
    if (line) happened.push(line)
    // Another process runs it, and needs time.
    else await timers.pause(CHECK_AGAIN_MS, undefined, { ref: false })
    // The other work of this moment is also done, such as the event's other webhooks.
    if (trigger !== undefined && line?.facts?.trigger === trigger) to = progress.at ?? to
  }
}

const moveDueTimesBack = (
  { clocks, database }: Timeline,
  merchantId: number | undefined,
  by: number,
): Promise<void> =>
  database.writeUnflushed((queries) => moveWaitingBack(queries, merchantId, clocks.owners(), by))

function createReportLine(done: CompletedItem): ClockReportLine | undefined {
  if ('failed' in done) return { ...done.due, what: 'failed: see the log' }
  return done.outcome && { ...done.due, ...done.outcome }
}

/**
 * Returns the mode after a move. A frozen clock stays frozen, and a running clock keeps running;
 * only `freeze` and `resume` change that.
 */
function calculateModeAfterMove(move: ClockMove, before: ClockMode): ClockMode {
  if (move.kind === 'resume') return move.real || before === 'real' ? 'real' : 'offset'
  if (move.kind === 'freeze') return 'frozen'
  return before === 'frozen' ? 'frozen' : 'offset'
}

/** Milliseconds before a moved clock checks again for work that another process is doing. */
const CHECK_AGAIN_MS = 20

const LATE = Symbol('late')

/** Returns the result of `work`, or `LATE` if it takes longer. */
async function withTimeout<T>(milliseconds: number, work: Promise<T>): Promise<T | typeof LATE> {
  const { promise: limit, resolve } = Promise.withResolvers<typeof LATE>()
  const timer = timers.setTimeout(resolve, Math.max(milliseconds, 0), LATE).unref()
  try {
    return await Promise.race([work, limit])
  } finally {
    timers.clearTimeout(timer)
  }
}

function createMovingError({ clocks }: Timeline, merchantId: number | undefined): GatewayError {
  const until = clocks.movedElsewhereUntil(merchantId)
  if (until === undefined)
    return createMoveError('Another request is moving this clock. Wait for its answer.')
  const seconds = Math.ceil((until - clocks.machine()) / 1000)
  return createMoveError(
    `Another gateway is moving this clock. Wait for its answer. If that gateway has crashed, you can move the clock again in ${seconds} seconds, at ${new Date(until).toISOString()}.`,
  )
}

const createMoveError = (explain: string) =>
  new GatewayError('errors.request.bad_format', { explain })
