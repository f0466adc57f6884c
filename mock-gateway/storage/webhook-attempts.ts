import { byIds } from './prepared.ts'
import { findAll } from './rows.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type { WebhookAttemptRow } from './tables/webhook-attempts.ts'
import { findBodyTexts } from './webhook-deliveries.ts'

/** Returns the attempts of deliveries with their requests, oldest first. */
export async function findAttempts(
  queries: Queries,
  deliveryIds: readonly number[],
): Promise<WebhookAttemptRow[]> {
  const rows = await byIds(deliveryIds, (delivery_id) =>
    findAll(queries, 'webhook_attempts', { delivery_id }),
  )
  const hasStoredBody = (row: WebhookAttemptRow) =>
    row.request_body === null && row.request_headers !== null
  const bodies = await findBodyTexts(
    queries,
    rows.filter(hasStoredBody).map(({ delivery_id }) => delivery_id),
  )
  return rows.map((row) =>
    hasStoredBody(row) ? { ...row, request_body: bodies.get(row.delivery_id) ?? null } : row,
  )
}

/** Returns the last attempt of each of these deliveries, without the sent body. */
export const findLastAttempts = (
  queries: Queries,
  deliveryIds: readonly number[],
): Promise<WebhookAttemptRow[]> =>
  byIds(deliveryIds, async (ids) => {
    const rows = await queries
      .selectFrom('webhook_attempts')
      .selectAll()
      .where('id', 'in', (last) =>
        last
          .selectFrom('webhook_attempts')
          .select((column) => column.fn.max<number>('id').as('id'))
          .where('delivery_id', 'in', ids)
          .groupBy('delivery_id'),
      )
      .execute()
    return rows.map(CODECS.webhook_attempts.decode)
  })

/**
 * Returns the durations of the attempts of these deliveries that were longer than a limit.
 * @param milliseconds the limit
 */
export const findSlowAttempts = (
  queries: Queries,
  deliveryIds: readonly number[],
  milliseconds: number,
): Promise<Pick<WebhookAttemptRow, 'delivery_id' | 'duration'>[]> =>
  byIds(deliveryIds, (ids) =>
    queries
      .selectFrom('webhook_attempts')
      .select(['delivery_id', 'duration'])
      .where('delivery_id', 'in', ids)
      .where('duration', '>', milliseconds)
      .execute(),
  )
