import type { Trigger } from '../domain/webhook/triggers.ts'
import type { Control } from './control.ts'
import type { Inbox, ReceivedWebhook, WaitOptions } from './webhooks.ts'

interface ClockMove {
  readonly from: string
  readonly now: string
  /** False: the call reached its limit, and the move can continue. */
  readonly quiet: boolean
  /** A sent webhook always has a trigger. */
  readonly happened: readonly { readonly trigger?: string }[]
}

/**
 * Moves a merchant's clock until a webhook arrives: one call for each webhook of its trigger.
 * @throws Error when it has not arrived at the end of the span
 */
export async function advanceUntilWebhook(
  control: Control,
  merchantId: number,
  inbox: Inbox,
  trigger: Trigger,
  { within = {}, where = {}, ...options }: WaitOptions,
): Promise<ReceivedWebhook> {
  const { seconds = 0, ...further } = within
  let span = { seconds, ...further }
  let end: Date | undefined
  for (;;) {
    const received = inbox.takeReceived(trigger, where)
    if (received) return received
    const move = { merchant_id: merchantId, ...span, until: trigger }
    const moved = await control<ClockMove>('POST', '/clock/advance', move)
    end ??= addSpan(new Date(moved.from), within)
    const left = Math.floor((end.getTime() - Date.parse(moved.now)) / 1000)
    span = { seconds: Math.max(left, 0) }
    // The last webhook may still be on its way.
    if (moved.quiet && !moved.happened.some((each) => each.trigger === trigger))
      return inbox.waitFor(trigger, { where, ...options })
  }
}

function addSpan(
  from: Date,
  { seconds = 0, days = 0, months = 0 }: NonNullable<WaitOptions['within']>,
): Date {
  const end = new Date(from)
  end.setUTCMonth(end.getUTCMonth() + months)
  end.setUTCDate(end.getUTCDate() + days)
  end.setUTCSeconds(end.getUTCSeconds() + seconds)
  return end
}
