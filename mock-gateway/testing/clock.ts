import type { Advance } from '../scheduler/gateway-clock.ts'
import type { Control } from './control.ts'

/** Events while a clock moved. */
export interface ClockMoved {
  readonly now: string
  readonly happened: readonly {
    readonly at: string
    readonly kind: string
    readonly id: number
    readonly what?: string
  }[]
}

/** A merchant's own clock; moving it affects no other merchant. */
export interface TestClock {
  /** Returns the current time of the clock. */
  now(): Promise<Date>
  /** Stops it, where it is or at a moment. */
  freeze(at?: Date): Promise<ClockMoved>
  /** Moves it to a moment. */
  set(at: Date): Promise<ClockMoved>
  /** Moves it on, and does everything that falls due on the way. */
  advance(by: Advance): Promise<ClockMoved>
  /** Lets it run from where it is. */
  resume(): Promise<ClockMoved>
}

export function clockOf(control: Control, merchantId: number): TestClock {
  const move = (
    name: string,
    parameters: Readonly<Record<string, string | number | undefined>> = {},
  ) => control<ClockMoved>('POST', `/clock/${name}`, { merchant_id: merchantId, ...parameters })
  return {
    async now() {
      const { now } = await control<{ readonly now: string }>('GET', '/clock', {
        merchant_id: merchantId,
      })
      return new Date(now)
    },
    freeze: (at) => move('freeze', { at: at?.toISOString() }),
    set: (at) => move('set', { at: at.toISOString() }),
    advance: (by) => move('advance', by.until === undefined ? { ...by } : { until: 'next_event' }),
    resume: () => move('resume'),
  }
}
