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
import type { ClockReportLine, DueItem, DueScope } from './due.ts'
import type { CompletedItem, DueQueue } from './due-queue.ts'
import type { Runner, RunnerDependencies } from './runner.ts'

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
  const next = await findFirstOfEach(timeline, createScope(timeline, merchantId, LAST_MOMENT))
  return {
    merchantId,
    mode: clocks.getMode(merchantId),
    now,
    next: next.map(({ queue, first }) => ({ kind: queue.kind, ...reported(first) })),
  }
}

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
  const all = await withTimeout(
    milliseconds,
    Promise.all(runner.queues.map((queue) => queue.whenIdle(isAffected))),
  )
  return all === LATE ? LATE : all.includes(true)
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
    const [next] = await findFirstOfEach(timeline, createScope(timeline, merchantId, LAST_MOMENT))
    return Math.max(from, next?.first.at ?? from)
  }
  if (!move.real) return from
  return merchantId === undefined ? clocks.machine() : clocks.now()
}

interface MoveTarget {
  readonly to: number
  /** The move ends after the event of the first webhook with this trigger. */
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
  const { runner } = timeline
  const isIdle = (await whenIdle(timeline, merchantId, left())) !== LATE
  // A running clock continued while it was acquired. Work that fell due meanwhile ran
  // automatically, before the move.
  const from = timeline.clocks.now(merchantId)
  progress.from = from
  if (!isIdle) return
  for (const queue of runner.queues) queue.clearFailures()
  const to = goesBack ? target : Math.max(target, from)
  await setClock(timeline, Math.min(to, from), merchantId, progress)
  if (goesBack) await moveDueTimesBack(timeline, merchantId, from - to)
  for (;;) {
    const scope = createScope(timeline, merchantId, to)
    const [due] = await findFirstOfEach(timeline, scope)
    if (!due) {
      // Work that requests start meanwhile is not in the queues while it is running.
      const others = await whenIdle(timeline, merchantId, left())
      if (others === true) continue
      progress.quiet = others === false
      if (progress.quiet) progress.at = to
      return
    }
    if (isOver(timeline, progress, left)) return
    // Work that became due while no gateway was running is done now, in order.
    if (due.first.at > (progress.at ?? 0))
      await setClock(timeline, due.first.at, merchantId, progress)
    const result = await runUnits(timeline, due, scope, { trigger, left }, progress)
    progress.quiet = result === 'triggered'
    if (result !== 'done') return
  }
}

/** Runs the items of one kind and moment. @returns how it ended */
async function runUnits(
  timeline: Timeline,
  { queue, first }: FirstDue,
  scope: DueScope,
  { trigger, left }: Pick<MoveTarget, 'trigger' | 'left'>,
  progress: MoveProgress,
): Promise<'done' | 'triggered' | 'late'> {
  for (const [place, unit] of (await queue.listUnits(first, scope)).entries()) {
    // The first unit may be claimed, so it runs.
    if (place > 0 && isOver(timeline, progress, left)) return 'late'
    const done = await withTimeout(left(), Promise.all(unit.map(queue.start)))
    if (done === LATE) return 'late'
    const lines = done.flatMap((each) => createReportLine(queue.kind, each))
    progress.happened.push(...lines)
    if (trigger !== undefined && lines.some(({ facts }) => facts?.trigger === trigger))
      return 'triggered'
    if (lines.length > 0 && lines.length === unit.length) continue
    // Another process runs it, and needs time.
    await timers.pause(CHECK_AGAIN_MS, undefined, { ref: false })
    return 'done'
  }
  return 'done'
}

const isOver = ({ limits }: Timeline, { happened }: MoveProgress, left: () => number): boolean =>
  happened.length >= limits.events || left() <= 0

async function setClock(
  { clocks }: Timeline,
  at: number,
  merchantId: number | undefined,
  progress: MoveProgress,
): Promise<void> {
  progress.at = at
  await clocks.setTo(at, merchantId)
}

const moveDueTimesBack = (
  { clocks, database }: Timeline,
  merchantId: number | undefined,
  by: number,
): Promise<void> =>
  database.writeUnflushed((queries) => moveWaitingBack(queries, merchantId, clocks.owners(), by))

const createScope = (
  { clocks }: Timeline,
  merchantId: number | undefined,
  until: number,
): DueScope =>
  merchantId === undefined ? { until, except: clocks.owners() } : { until, merchantId }

/** The first due item of one kind. */
interface FirstDue {
  readonly queue: DueQueue
  readonly first: DueItem
}

/** Finds the first item of each kind, ordered by moment, kind and id. */
async function findFirstOfEach(
  { runner }: Timeline,
  scope: DueScope,
): Promise<readonly FirstDue[]> {
  const firsts: FirstDue[] = []
  for (const queue of runner.queues) {
    const first = await queue.first(scope)
    if (first) firsts.push({ queue, first })
  }
  // The sort is stable: items of the same moment stay in the order of the kinds.
  return firsts.sort((a, b) => a.first.at - b.first.at)
}

function createReportLine(kind: string, done: CompletedItem): ClockReportLine[] {
  if ('failed' in done) return [{ ...reported(done.due), kind, what: 'failed: see the log' }]
  return done.outcome ? [{ ...reported(done.due), kind, ...done.outcome }] : []
}

/** Copies the members of a due item for a report. */
const reported = ({ at, merchantId, id }: DueItem): DueItem => ({ at, merchantId, id })

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
