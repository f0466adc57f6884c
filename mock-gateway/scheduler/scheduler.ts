import { COMMON } from '../storage/clocks.ts'
import type { DueItem } from '../storage/due.ts'
import type { SavedClock } from '../storage/tables/snapshots.ts'
import {
  type ClockMove,
  type ClockReport,
  type ClockView,
  MOVE_LIMITS,
  type MoveOptions,
} from './clock-moves.ts'
import type { ClockMode } from './clocks.ts'
import { moveClock, type Timeline, takeClock, viewClock, whenIdle } from './move-clock.ts'
import { createRunner, type RunnerDependencies } from './runner.ts'

/** Clocks, and the work that becomes due by them. */
export interface Scheduler {
  /** Announces that committed work may be due now. */
  wake(): void
  /**
   * Runs an item now, even if it is not due yet; waits for it if it is already running.
   */
  run(due: DueItem): Promise<void>
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

export function createScheduler(dependencies: RunnerDependencies, limits = MOVE_LIMITS): Scheduler {
  const runner = createRunner(dependencies)
  const timeline: Timeline = { ...dependencies, runner, limits }
  return {
    wake: runner.wake,
    run: async (due) => void (await runner.start(due)),
    view: (merchantId) => viewClock(timeline, merchantId),
    move: (move, options = {}) => moveClock(timeline, move, options),
    hold: (merchantId, work) => holdClocks(timeline, merchantId, work),
    stop: runner.stop,
  }
}

async function holdClocks(
  timeline: Timeline,
  merchantId: number | undefined,
  work: () => Promise<readonly SavedClock[]>,
): Promise<void> {
  const { clocks, limits, runner } = timeline
  await clocks.reload()
  const whose = merchantId === undefined ? [undefined, ...clocks.owners()] : [merchantId]
  const taken: { readonly id: number | undefined; readonly mode: ClockMode }[] = []
  let saved: readonly SavedClock[]
  try {
    for (const id of whose) {
      const mode = id === undefined || clocks.has(id) ? clocks.getMode(id) : 'real'
      await takeClock(timeline, id)
      taken.push({ id, mode })
    }
    await Promise.all(whose.map((id) => whenIdle(timeline, id, limits.milliseconds)))
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
