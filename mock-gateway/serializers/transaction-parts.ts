import type { Capture, DynamicWebhook, LogEvent, Refund, Webhook } from '../contract/wire.ts'
import { formatAmount } from '../domain/money/money.ts'
import type { CaptureRow } from '../storage/tables/captures.ts'
import type { LogEventRow } from '../storage/tables/log-events.ts'
import type { RefundRow } from '../storage/tables/refunds.ts'
import type { WebhookRow } from '../storage/tables/webhooks.ts'
import { BY_ID, type References } from './resources.ts'
import { formatWireTime } from './time.ts'

export const presentRefund = (row: RefundRow, references: References = BY_ID): Refund => ({
  id: row.id,
  created_at: formatWireTime(row.created_at),
  amount: formatAmount(row.amount),
  reason: row.reason,
  ref: row.ref,
  transaction: references.transaction(row.transaction_id),
})

export const presentCapture = (row: CaptureRow): Capture => ({
  id: row.id,
  created_at: formatWireTime(row.created_at),
  amount: formatAmount(row.amount),
})

export const presentLogEvent = (row: LogEventRow): LogEvent => ({
  id: row.id,
  event_type: row.event_type,
  created_at: formatWireTime(row.created_at),
  data: row.data,
})

/** Serializes the webhooks of the request, by trigger (our decision). */
export const presentDynamicWebhooks = (
  rows: readonly WebhookRow[],
): Record<string, DynamicWebhook[]> =>
  Object.fromEntries(
    [...Map.groupBy(rows, ({ trigger }) => trigger)].map(([trigger, ofTrigger]) => [
      trigger,
      ofTrigger.map(presentDynamicWebhook),
    ]),
  )

const presentDynamicWebhook = ({
  type,
  url,
  http_method,
  data_format,
  email,
}: WebhookRow): DynamicWebhook => ({
  type,
  url,
  http_method,
  data_format,
  email,
})

export const presentWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  created_at: formatWireTime(row.created_at),
  type: row.type,
  response: row.response,
  http_method: row.http_method,
  email: row.email,
  url: row.url,
  trigger: row.trigger,
  data_format: row.data_format,
  request_body: row.request_body,
})
