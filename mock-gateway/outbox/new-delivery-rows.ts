import { prefixSecond } from '../domain/identifiers.ts'
import { memoized } from '../domain/memoized.ts'
import { hostKey, type NewDelivery } from '../storage/webhook-deliveries.ts'
import type { WebhookSubscriber } from '../work/work.ts'

/** Event that causes webhooks. */
interface DeliveryOrigin {
  readonly merchantId: number
  /** 12 random bytes, the same for all events of one moment. */
  readonly id: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
  /** Epoch milliseconds of the first attempt; null if the deliveries are held. */
  readonly dueAt: number | null
  /** Header of the request that caused the event. */
  readonly traceparent?: string | undefined
  /** Prefix of the ids of a test webhook. */
  readonly mark?: string
}

/** Destination and content of a delivery: its columns, and no others. */
export interface DeliveryContent extends WebhookSubscriber {
  readonly transaction_id: number | null
  /** JSON text. */
  readonly body: string
}

const getHost = memoized(500, (url) => new URL(url).host)

/** Builds the rows of deliveries without attempts, each with its own message. */
export function createDeliveryRows(
  { merchantId, id, now, dueAt, traceparent, mark = '' }: DeliveryOrigin,
  all: readonly DeliveryContent[],
): NewDelivery[] {
  const hex = mark + prefixSecond(now, id).toString('hex')
  return all.map((content, index) => ({
    ...content,
    merchant_id: merchantId,
    event_id: `evt_${hex}`,
    message_id: `msg_${hex}_${index + 1}`,
    host: hostKey(merchantId, content.url === null ? '' : getHost(content.url)),
    traceparent: traceparent ?? null,
    status: 'pending',
    attempts: 0,
    calls: 0,
    due_at: dueAt,
    again_from: null,
    again_due_at: null,
    lease_until: null,
    lease_owner: null,
    created_at: now,
    updated_at: now,
  }))
}
