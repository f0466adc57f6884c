import type { Insertable } from 'kysely'
import type { WebhookRequest } from '../domain/webhook-request.ts'
import type { TransactionRow } from '../storage/transactions.ts'
import type { WebhookTable } from '../storage/webhooks.ts'
import type { Work } from '../storage/work.ts'

/** Rows of the webhooks that a request attaches to its transaction. */
export const webhookRows = (
  { now }: Work,
  transaction: TransactionRow,
  requests: readonly WebhookRequest[],
): Insertable<WebhookTable>[] =>
  requests.map((request) => ({
    merchant_id: transaction.merchant_id,
    transaction_id: transaction.id,
    type: request.type,
    trigger: request.trigger,
    url: request.type === 'CustomHttp' ? request.url : null,
    http_method: request.type === 'CustomHttp' ? request.httpMethod : null,
    data_format: request.type === 'CustomHttp' ? request.dataFormat : null,
    email: request.type === 'Email' ? request.email : null,
    response: null,
    request_body: null,
    created_at: now,
  }))
