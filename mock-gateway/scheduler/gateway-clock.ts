import type { Clocks } from './clocks.ts'
import type { ClockReport, ClockView, MoveOptions, Scheduler } from './timeline.ts'

/** Epoch milliseconds, or a date. */
export type Moment = number | Date

/** Whose clock, and whether it may go back. */
export interface ClockOptions {
  /** Id of one merchant; default: everybody who has no clock of their own. */
  readonly merchant?: number
  /** Also backwards, over data that bears later dates. */
  readonly force?: boolean
}

/** How far: a span of which at least one part is given, or to what is due next. */
export type Advance =
  | {
      readonly seconds?: number
      readonly days?: number
      readonly months?: number
      readonly until?: undefined
    }
  | { readonly until: 'next event' }

/**
 * The gateway's clocks, in process. Each call resolves when everything that fell due on the way has
 * been done, and says what that was. @throws GatewayError as the calls of `/_control/clock` are
 * refused
 */
export interface GatewayClock {
  /** Epoch milliseconds UTC. */
  now(options?: Pick<ClockOptions, 'merchant'>): number
  /** Mode, moment and what comes next. */
  read(options?: Pick<ClockOptions, 'merchant'>): Promise<ClockView>
  /** Stops it, where it is or at a moment. */
  freeze(at?: Moment, options?: ClockOptions): Promise<ClockReport>
  /** Moves it to a moment; one that runs goes on running from there. */
  set(at: Moment, options?: ClockOptions): Promise<ClockReport>
  advance(by: Advance, options?: ClockOptions): Promise<ClockReport>
  /** Lets it run from where it is; with `real` as if it had never been touched. */
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
