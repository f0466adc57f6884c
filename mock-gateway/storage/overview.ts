import { sql } from 'kysely'
import type { Queries } from './tables/schema.ts'
import type { TransactionRow } from './tables/transactions.ts'
import type { WebhookDeliveryRow } from './tables/webhook-deliveries.ts'

/** Rows of each table that the overview counts: the newest. */
export const OVERVIEW_ROWS = 1000

type PaymentHead = Pick<TransactionRow, 'created_at' | 'status'>
type DeliveryState = Pick<WebhookDeliveryRow, 'created_at' | 'status' | 'attempts'>

/** Reads time and status of a merchant's newest payments by its clock, the newest first. */
export const newestPayments = (queries: Queries, merchantId: number): Promise<PaymentHead[]> =>
  queries
    .selectFrom('transactions')
    .select(['created_at', 'status'])
    .where('merchant_id', '=', merchantId)
    .orderBy('created_at', 'desc')
    .limit(sql.lit(OVERVIEW_ROWS))
    .execute()

/**
 * Reads when a merchant's newest webhooks and mails were caused and how they are, the newest first.
 */
export const newestDeliveryStates = (
  queries: Queries,
  merchantId: number,
): Promise<DeliveryState[]> =>
  queries
    .selectFrom('webhook_deliveries')
    .select(['created_at', 'status', 'attempts'])
    .where('merchant_id', '=', merchantId)
    .orderBy('id', 'desc')
    .limit(sql.lit(OVERVIEW_ROWS))
    .execute()
