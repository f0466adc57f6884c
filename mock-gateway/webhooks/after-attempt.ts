import type { NotificationRow } from '../storage/tables/notifications.ts'
import type { WebhookDeliveryRow } from '../storage/tables/webhook-deliveries.ts'
import type { DeliveryChanges } from '../storage/webhook-deliveries.ts'
import type { CallOutcome } from './reply.ts'
import { drawForRetry, RETRIES, retryDelay } from './schedule.ts'

/** Effect of an attempt on its delivery, and its line on the dashboard. */
export interface AttemptEffect {
  readonly changes: DeliveryChanges
  readonly notice?: NotificationRow['kind']
}

/**
 * Decides what follows from an attempt (specification: Delivery rules 3 to 5). An attempt by hand
 * does not count as a retry: unless it succeeds, the delivery is unchanged.
 * @param now epoch milliseconds by the merchant's clock
 */
export function afterAttempt(
  delivery: WebhookDeliveryRow,
  outcome: CallOutcome,
  now: number,
): AttemptEffect {
  const calls = delivery.calls + 1
  const ended = { calls, due_at: null, again_from: null, again_due_at: null, updated_at: now }
  if (delivery.again_from !== null) {
    const changes =
      outcome === 'delivered' ? {} : { status: delivery.again_from, due_at: delivery.again_due_at }
    return { changes: { ...ended, status: 'delivered', ...changes } }
  }
  const counted = { ...ended, attempts: delivery.attempts + 1 }
  if (outcome === 'delivered') return { changes: { ...counted, status: 'delivered' } }
  if (outcome === 'failed')
    return { changes: { ...counted, status: 'failed' }, notice: 'webhook_failed' }
  if (delivery.attempts >= RETRIES)
    return { changes: { ...counted, status: 'dead' }, notice: 'webhook_dead' }
  return {
    changes: {
      ...counted,
      due_at: now + retryDelay(delivery.attempts, drawForRetry(delivery)) * 1000,
    },
  }
}
