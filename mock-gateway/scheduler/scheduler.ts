import { GatewayError } from '../domain/errors/errors.ts'
import { performance, timers } from '../domain/timers.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import { COMMON, hasData, insertClockMove, moveWaitingBack } from '../storage/clocks.ts'
import type { SavedClock } from '../storage/tables/snapshots.ts'
import { addTimeSpan, type ClockMove } from './clock-moves.ts'
import type { ClockReportLine, DueItem, DueScope } from './due.ts'
import type { CompletedItem, DueQueue, DueUnit } from './due-queue.ts'
import type { ClockMode } from './known-clocks.ts'
import { createRunner, type RunnerDependencies } from './runner.ts'

/** Clock, and the next due work. */
export interface ClockView {
  /** Undefined: the common clock. */
  readonly merchantId: number | undefined
  readonly mode: ClockMode
  /** Epoch milliseconds. */
  readonly now: number
  /** The next item of each kind, in the order in which they will run. */
  readonly next: readonly (DueItem & { readonly kind: string })[]
}

/** Report of a moved clock. */
export interface ClockReport extends ClockView {
  /** Epoch milliseconds when the clock was acquired: earlier work ran at its own time. */
  readonly from: number
  /** In the order in which it happened. */
  readonly happened: readonly ClockReportLine[]
  /**
   * False if a limit was reached before all due work was done: the clock stays at the last
   * completed item.
   */
  readonly quiet: boolean
}

export interface MoveOptions {
  /** Default: the common clock. */
  readonly merchantId?: number | undefined
  /** Allows moving back although some data has later dates. */
  readonly force?: boolean | undefined
}

/** Clocks, and the work that becomes due by them. */
export interface Scheduler {
  /** Announces that committed work may be due now. */
  wake(): void
  /**
   * Runs an item now, even if it is not due yet; waits for it if it is already running.
   */
  run(kind: string, due: DueItem): Promise<void>
  view(merchantId?: number): Promise<ClockView>
  /**
   * Moves a clock: runs the work that becomes due on the way one item after the other, by moment,
   * kind and id, with the clock set to each moment, and resolves when nothing more is due.
   * @throws GatewayError errors.request.bad_format (no such time, backwards, or another request is
   *   moving it)
   */
  move(move: ClockMove, options?: MoveOptions): Promise<ClockReport>
  /**
   * Holds a clock, or all of them, while data are replaced: nothing falls due meanwhile, and work
   * that is under way ends first.
   * @param work returns the clocks as they are afterwards; the others run in real time
   * @throws GatewayError errors.request.bad_format (another request is moving the clock)
   */
  hold(merchantId: number | undefined, work: () => Promise<readonly SavedClock[]>): Promise<void>
  stop(): Promise<void>
}

/** Limits of one move (our decision). The milliseconds are the machine's. */
export interface MoveLimits {
  readonly milliseconds: number
  readonly events: number
}

export const MOVE_LIMITS: MoveLimits = { milliseconds: 30_000, events: 100_000 }

/** Last moment with a year of four digits. */
const LAST_MOMENT = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

export function createScheduler(dependencies: RunnerDependencies, limits = MOVE_LIMITS): Scheduler {
  const { clocks, database } = dependencies
  const runner = createRunner(dependencies)
  const { queues } = runner

  const scopeOf = (merchantId: number | undefined, until: number): DueScope =>
    merchantId === undefined ? { until, except: clocks.owners() } : { until, merchantId }

  async function view(merchantId?: number): Promise<ClockView> {
    // Read before the search for the next item: a running clock would pass it meanwhile.
    const now = clocks.now(merchantId)
    const next = await firstOfEach(queues, scopeOf(merchantId, LAST_MOMENT))
    return {
      merchantId,
      mode: clocks.modeOf(merchantId),
      now,
      next: next.map(({ queue, first }) => ({ kind: queue.kind, ...first })),
    }
  }

  async function move(
    move: ClockMove,
    { merchantId, force = false }: MoveOptions = {},
  ): Promise<ClockReport> {
    const started = performance.now()
    const left = () => limits.milliseconds - (performance.now() - started)
    await clocks.reload()
    if (clocks.isMoving(merchantId)) throw createMovingError(merchantId)
    // Work that is already due runs at its own time, before the clock moves.
    do await withTimeout(left(), runner.whenCaughtUp())
    while ((await whenIdle(merchantId, left())) === true && left() > 0)
    const asked = clocks.now(merchantId)
    const to = await targetOf(move, asked, merchantId)
    if (!(to <= LAST_MOMENT && to >= 0))
      throw createMoveError('The time of a clock must be between 1970 and 9999.')
    const goesBack = to < asked
    if (goesBack && !force && (await hasData(database.db, merchantId, clocks.owners())))
      throw createMoveError('Some data have later dates. To move the clock back, send force=true.')
    const mode = modeAfterMove(move, clocks.modeOf(merchantId))
    await take(merchantId)
    let at: number | undefined
    let steps: MoveProgress = { from: asked, happened: [], quiet: false }
    try {
      const standAt = (moment: number) => {
        at = moment
      }
      const trigger = move.kind === 'advance' ? move.until : undefined
      steps = await runDueUntil({ to, trigger, goesBack, merchantId, left, standAt })
    } finally {
      await clocks.release(
        steps.quiet || mode !== 'real' ? mode : 'offset',
        at ?? clocks.now(merchantId),
        merchantId,
      )
    }
    runner.wake()
    const seen = await view(merchantId)
    // A running clock continued after its release: everything up to this moment is done.
    const now = at ?? seen.now
    const moved = {
      merchant_id: merchantId ?? COMMON,
      kind: move.kind,
      from_at: steps.from,
      to_at: now,
    }
    // The clock has moved, whether or not the record of it can be stored.
    await database.writeUnflushed((queries) => insertClockMove(queries, moved)).catch(() => {})
    return { ...seen, now, ...steps }
  }

  async function take(merchantId: number | undefined): Promise<void> {
    if (await clocks.acquire(merchantId)) return
    await clocks.reload()
    throw createMovingError(merchantId)
  }

  function createMovingError(merchantId: number | undefined): GatewayError {
    const until = clocks.movedElsewhereUntil(merchantId)
    if (until === undefined)
      return createMoveError('Another request is moving this clock. Wait for its answer.')
    const seconds = Math.ceil((until - clocks.machine()) / 1000)
    return createMoveError(
      `Another gateway is moving this clock. Wait for its answer. If that gateway has crashed, you can move the clock again in ${seconds} seconds, at ${new Date(until).toISOString()}.`,
    )
  }

  async function hold(
    merchantId: number | undefined,
    work: () => Promise<readonly SavedClock[]>,
  ): Promise<void> {
    await clocks.reload()
    const whose = merchantId === undefined ? [undefined, ...clocks.owners()] : [merchantId]
    const taken: { readonly id: number | undefined; readonly mode: ClockMode }[] = []
    let saved: readonly SavedClock[]
    try {
      for (const id of whose) {
        const mode = id === undefined || clocks.has(id) ? clocks.modeOf(id) : 'real'
        await take(id)
        taken.push({ id, mode })
      }
      await Promise.all(whose.map((id) => whenIdle(id, limits.milliseconds)))
      saved = await work()
    } catch (error) {
      for (const { id, mode } of taken) await clocks.release(mode, clocks.now(id), id)
      throw error
    }
    const isSaved = (id = COMMON) => saved.some(({ merchant_id }) => merchant_id === id)
    for (const { id } of taken) if (!isSaved(id)) await clocks.release('real', 0, id)
    for (const { merchant_id, frozen, at } of saved)
      await clocks.release(frozen ? 'frozen' : 'offset', at, merchant_id)
    runner.wake()
  }

  async function targetOf(
    move: ClockMove,
    from: number,
    merchantId: number | undefined,
  ): Promise<number> {
    if (move.kind === 'freeze') return move.at ?? from
    if (move.kind === 'set') return move.at
    if (move.kind === 'advance') return addTimeSpan(from, move.by)
    if (move.kind === 'resume') return move.real ? realTime(merchantId) : from
    const [next] = await firstOfEach(queues, scopeOf(merchantId, LAST_MOMENT))
    return Math.max(from, next?.first.at ?? from)
  }

  /** Returns the time of a clock after its reset. */
  const realTime = (merchantId: number | undefined) =>
    merchantId === undefined ? clocks.machine() : clocks.now()

  /** Waits until no work is running by a clock. @returns true if there was any, or `LATE` */
  async function whenIdle(merchantId: number | undefined, milliseconds: number) {
    const isOf = (id: number) => (merchantId === undefined ? !clocks.has(id) : id === merchantId)
    const all = await withTimeout(
      milliseconds,
      Promise.all(queues.map((queue) => queue.whenIdle(isOf))),
    )
    return all === LATE ? LATE : all.includes(true)
  }

  /** Runs the work due until a moment or a webhook, and reports each step. */
  async function runDueUntil({
    trigger,
    goesBack,
    merchantId,
    left,
    standAt,
    ...destination
  }: MoveTarget): Promise<MoveProgress> {
    const happened: ClockReportLine[] = []
    const isIdle = (await whenIdle(merchantId, left())) !== LATE
    // A running clock continued while it was acquired. Work that fell due meanwhile ran
    // automatically, before the move.
    const from = clocks.now(merchantId)
    if (!isIdle) return { from, happened, quiet: false }
    for (const queue of queues) queue.clearFailures()
    const to = goesBack ? destination.to : Math.max(destination.to, from)
    let at = Math.min(to, from)
    standAt(at)
    await clocks.setTo(at, merchantId)
    if (goesBack)
      await database.writeUnflushed((queries) =>
        moveWaitingBack(queries, merchantId, clocks.owners(), from - to),
      )
    for (;;) {
      const [due] = await firstOfEach(queues, scopeOf(merchantId, to))
      if (!due) {
        // Work that requests start meanwhile is not in the queues while it is running.
        const others = await whenIdle(merchantId, left())
        if (others === true) continue
        if (others === false) standAt(to)
        return { from, happened, quiet: others === false }
      }
      const { queue, units, first } = due
      for (const unit of units) {
        if (happened.length >= limits.events || left() <= 0) return { from, happened, quiet: false }
        // Work that became due while no gateway was running is done now, in order.
        if (first.at > at) {
          at = first.at
          standAt(at)
          await clocks.setTo(at, merchantId)
        }
        const done = await withTimeout(left(), Promise.all(unit.map(queue.start)))
        if (done === LATE) return { from, happened, quiet: false }
        const lines = done.flatMap((each) => lineOf(queue.kind, each))
        happened.push(...lines)
        if (trigger !== undefined && lines.some(({ facts }) => facts?.trigger === trigger))
          return { from, happened, quiet: true }
        if (lines.length === unit.length) continue
        // Another process runs it, and needs time.
        await timers.pause(CHECK_AGAIN_MS, undefined, { ref: false })
        break
      }
    }
  }

  async function run(kind: string, due: DueItem): Promise<void> {
    await queues.find((queue) => queue.kind === kind)?.start(due)
  }

  return { wake: runner.wake, run, view, move, hold, stop: runner.stop }
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
  readonly standAt: (moment: number) => void
}

interface MoveProgress {
  readonly from: number
  readonly happened: readonly ClockReportLine[]
  readonly quiet: boolean
}

/** The first due items of one kind. */
interface FirstDue {
  readonly queue: DueQueue
  readonly units: readonly DueUnit[]
  readonly first: DueItem
}

/** Finds the first items of each kind, ordered by moment, kind and id. */
async function firstOfEach(
  queues: readonly DueQueue[],
  scope: DueScope,
): Promise<readonly FirstDue[]> {
  const firsts: FirstDue[] = []
  for (const queue of queues) {
    const units = await queue.next(scope)
    const first = units[0]?.[0]
    if (first) firsts.push({ queue, units, first })
  }
  // The sort is stable: items of the same moment stay in the order of the kinds.
  return firsts.sort((a, b) => a.first.at - b.first.at)
}

function lineOf(kind: string, done: CompletedItem): ClockReportLine[] {
  if ('failed' in done) return [{ ...done.due, kind, what: 'failed: see the log' }]
  return done.outcome ? [{ ...done.due, kind, ...done.outcome }] : []
}

/**
 * Returns the mode after a move. A frozen clock stays frozen, and a running clock keeps running;
 * only `freeze` and `resume` change that.
 */
function modeAfterMove(move: ClockMove, before: ClockMode): ClockMode {
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

const createMoveError = (explain: string) =>
  new GatewayError('errors.request.bad_format', { explain })
