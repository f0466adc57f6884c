import type { Operations } from '../client/operations.ts'
import type { Trigger } from '../domain/webhook/triggers.ts'
import type { TimeSpan } from '../scheduler/clock-moves.ts'
import type { Advance } from '../scheduler/gateway-clock.ts'
import type { Inbox, ReceivedWebhook, WaitOptions } from './webhooks.ts'

/** Events while a clock moved. */
export type ClockMoved = Awaited<ReturnType<Operations['clock']['advance']>>

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

export const createTestClock = ({ clock }: Operations, merchant_id: number): TestClock => ({
  now: async () => new Date((await clock.show({ merchant_id })).now),
  freeze: (at) => clock.freeze({ merchant_id, at: at?.toISOString() }),
  set: (at) => clock.set({ merchant_id, at: at.toISOString() }),
  advance: ({ until, ...by }) =>
    clock.advance({ merchant_id, ...by, ...(until && { until: 'next_event' }) }),
  resume: () => clock.resume({ merchant_id }),
})

/**
 * Moves a merchant's clock until a webhook arrives: one call for each webhook of its trigger.
 * @throws Error when it has not arrived at the end of the span
 */
export async function advanceUntilWebhook(
  { clock }: Operations,
  merchant_id: number,
  inbox: Inbox,
  trigger: Trigger,
  { within = {}, where = {}, ...options }: WaitOptions,
): Promise<ReceivedWebhook> {
  let span: TimeSpan = { seconds: 0, ...within }
  for (;;) {
    const received = inbox.takeReceived(trigger, where)
    if (received) return received
    const moved = await clock.advance({ merchant_id, ...span, until: trigger })
    span = { seconds: moved.seconds_left ?? 0 }
    // The last webhook may still be on its way. A sent webhook always has a trigger.
    if (moved.quiet && !moved.happened.some((each) => each.trigger === trigger))
      return inbox.waitFor(trigger, { where, ...options })
  }
}
