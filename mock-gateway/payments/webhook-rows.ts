import type { Insertable } from 'kysely'
import { targetOf, type WebhookRequest } from '../domain/webhook/request.ts'
import type { TransactionRow } from '../storage/tables/transactions.ts'
import type { WebhookTable } from '../storage/tables/webhooks.ts'
import type { Work } from '../storage/work.ts'

/** Rows of the webhooks that a request attaches to its transaction. */
export const webhookRows = (
  { now }: Work,
  transaction: TransactionRow,
  requests: readonly WebhookRequest[],
): Insertable<WebhookTable>[] =>
  requests.map((request) => ({
    // Begun with its target, which is copied as a whole.
    ...targetOf(request),
    merchant_id: transaction.merchant_id,
    transaction_id: transaction.id,
    response: null,
    request_body: null,
    created_at: now,
  }))
