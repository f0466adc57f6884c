import type { Trigger } from '../domain/webhook/triggers.ts'
import type { Control } from './control.ts'
import type { Inbox, ReceivedWebhook, WaitOptions } from './webhooks.ts'

interface ClockState {
  readonly now: string
  readonly next: readonly { readonly at: string }[]
}

/**
 * Moves a merchant's clock from due event to due event until a webhook arrives.
 * @throws Error when it has not arrived at the end of the span
 */
export async function waitByClock(
  control: Control,
  merchantId: number,
  inbox: Inbox,
  trigger: Trigger,
  { within = {}, where, ...options }: WaitOptions,
): Promise<ReceivedWebhook> {
  const read = () => control<ClockState>('GET', '/clock', { merchant_id: merchantId })
  let clock = await read()
  const end = addSpan(new Date(clock.now), within)
  for (;;) {
    const received = inbox.takeReceived(trigger, where)
    if (received) return received
    const [next] = clock.next
    // The last webhook may still be on its way.
    if (!next || new Date(next.at) > end)
      return inbox.waitFor(trigger, { where: where ?? {}, ...options })
    await control('POST', '/clock/advance', { merchant_id: merchantId, until: 'next_event' })
    clock = await read()
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
