import { behindSecond } from '../domain/identifiers.ts'
import { memoized } from '../domain/memoized.ts'
import type { WebhookTarget } from '../domain/webhook/request.ts'
import { hostKey, type NewDelivery } from '../storage/webhook-deliveries.ts'

/** Something that happened, and when somebody is to hear of it. */
interface Event {
  readonly merchantId: number
  /** 12 random bytes: the events of one moment have them in common. */
  readonly id: Uint8Array
  /** Epoch milliseconds. */
  readonly now: number
  /** Epoch milliseconds of the first attempt; null: held until it is released. */
  readonly dueAt: number | null
  /** What its ids begin with, where it did not happen but is tried. */
  readonly mark?: string
}

/** Who hears of it, and what. */
export interface Heard extends WebhookTarget {
  readonly transaction_id: number | null
  /** A webhook of the transaction; null for a template of the merchant, and for an alert. */
  readonly webhook_id: number | null
  readonly template: string | null
  /** JSON text. */
  readonly body: string
}

const hostOf = memoized(500, (url) => new URL(url).host)

/** Deliveries that nobody has tried yet, each a message of its own. */
export function freshDeliveries(
  { merchantId, id, now, dueAt, mark = '' }: Event,
  all: readonly Heard[],
): NewDelivery[] {
  const hex = mark + behindSecond(now, id).toString('hex')
  return all.map(
    ({ transaction_id, webhook_id, template, type, trigger, url, http_method, data_format, email, body }, index) => ({
      merchant_id: merchantId,
      event_id: `evt_${hex}`,
      message_id: `msg_${hex}_${index + 1}`,
      transaction_id,
      webhook_id,
      template,
      type,
      trigger,
      url,
      http_method,
      data_format,
      email,
      host: url === null ? '' : hostKey(merchantId, hostOf(url)),
      body,
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
    }),
  )
}
