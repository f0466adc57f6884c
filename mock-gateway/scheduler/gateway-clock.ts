import type { ClockReport, ClockView, MoveOptions } from './clock-moves.ts'
import type { Clocks } from './clocks.ts'
import type { Scheduler } from './scheduler.ts'

/** Epoch milliseconds, or a date. */
export type Moment = number | Date

/** The clock to use, and whether it may move back. */
export interface ClockOptions {
  /** Id of a merchant; default: the common clock. */
  readonly merchant?: number
  /** Allows moving back although some data has later dates. */
  readonly force?: boolean
}

/** A time span with at least one part, or the next due item. */
export type Advance =
  | {
      readonly seconds?: number
      readonly minutes?: number
      readonly hours?: number
      readonly days?: number
      readonly months?: number
      readonly until?: undefined
    }
  | { readonly until: 'next event' }

/**
 * The gateway's clocks, in process. Each call resolves when all work that became due is done, and
 * returns a report of it. @throws GatewayError with the same errors as `/_control/clock`
 */
export interface GatewayClock {
  /** Returns epoch milliseconds UTC. */
  now(options?: Pick<ClockOptions, 'merchant'>): number
  /** Returns mode, time and the next due work. */
  read(options?: Pick<ClockOptions, 'merchant'>): Promise<ClockView>
  /** Stops the clock, now or at a moment. */
  freeze(at?: Moment, options?: ClockOptions): Promise<ClockReport>
  /** Moves the clock to a moment; a running clock continues from there. */
  set(at: Moment, options?: ClockOptions): Promise<ClockReport>
  advance(by: Advance, options?: ClockOptions): Promise<ClockReport>
  /** Lets the clock run from its current time; with `real`, it follows the machine again. */
  resume(options?: ClockOptions & { readonly real?: boolean }): Promise<ClockReport>
}

export function createGatewayClock(clocks: Clocks, { move, view }: Scheduler): GatewayClock {
  return {
    now: ({ merchant } = {}) => clocks.now(merchant),
    read: ({ merchant } = {}) => view(merchant),
    freeze: (at, options) =>
      move({ kind: 'freeze', at: at === undefined ? at : Number(at) }, moveOptions(options)),
    set: (at, options) => move({ kind: 'set', at: Number(at) }, moveOptions(options)),
    advance: (by, options) =>
      move(
        by.until === undefined ? { kind: 'advance', by } : { kind: 'next' },
        moveOptions(options),
      ),
    resume: (options) => move({ kind: 'resume', real: options?.real }, moveOptions(options)),
  }
}

const moveOptions = ({ merchant, force }: ClockOptions = {}): MoveOptions => ({
  merchantId: merchant,
  force,
})
