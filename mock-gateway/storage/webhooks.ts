import { sql } from 'kysely'
import { prepared } from './prepared.ts'
import { insertRows } from './rows.ts'
import { JSON_TEXT } from './tables/codec.ts'
import { CODECS, type Queries } from './tables/schema.ts'
import type { NewWebhookRow, WebhookRow } from './tables/webhooks.ts'
import { findBodyTexts } from './webhook-deliveries.ts'

/** Last call of a webhook. */
export type SentWebhook = Pick<WebhookRow, 'id' | 'response' | 'request_body' | 'delivery_id'>

/**
 * Updates webhooks with the last call and its answer.
 * @param all in the order of the calls; a webhook can occur several times
 */
export async function updateWebhooks(queries: Queries, all: readonly SentWebhook[]): Promise<void> {
  const last = [...new Map(all.map((sent) => [sent.id, sent])).values()]
  if (last.length > 0) await updateLastCalls(queries, last)
}

const updateLastCalls = prepared(
  (bind, _queries, all: readonly SentWebhook[]) => {
    const rows = all.map((_, place) => {
      const read = <Value>(pick: (sent: SentWebhook) => Value) =>
        bind((sent) => pick(sent[place] as SentWebhook))
      return sql`(cast(${read(({ id }) => id)} as bigint),
        ${read(({ response }) => JSON_TEXT.encode(response))},
        ${read(({ request_body }) => request_body)},
        cast(${read(({ delivery_id }) => delivery_id)} as bigint))`
    })
    return sql<never>`with sent (id, response, request_body, delivery_id) as (values ${sql.join(rows)})
      update webhooks set response = sent.response, request_body = sent.request_body,
        delivery_id = sent.delivery_id
      from sent where webhooks.id = sent.id`
  },
  ({ length }) => String(length),
)

/** Adds the last sent body to webhooks, from their deliveries. */
export async function withSentBodies(
  queries: Queries,
  rows: readonly WebhookRow[],
): Promise<readonly WebhookRow[]> {
  // A body that equals a delivery's is stored only there.
  const bodies = await findBodyTexts(
    queries,
    rows.flatMap(({ delivery_id }) => delivery_id ?? []),
  )
  return rows.map((row) =>
    row.delivery_id === null ? row : { ...row, request_body: bodies.get(row.delivery_id) ?? null },
  )
}

export async function insertWebhooks(
  queries: Queries,
  rows: readonly NewWebhookRow[],
): Promise<WebhookRow[]> {
  const ids = await insertRows(queries, 'webhooks', rows)
  return rows.map((row, place) => ({ ...row, id: ids[place] as number }))
}

/**
 * Returns the webhooks with this trigger of the payment that started a subscription.
 * @returns none if the subscription was started without a payment
 */
export async function findWebhooksOfFirstPayment(
  queries: Queries,
  subscriptionId: number,
  trigger: string,
): Promise<WebhookRow[]> {
  const rows = await selectWebhooksOfFirstPayment(queries, { subscriptionId, trigger })
  return rows.map(CODECS.webhooks.decode)
}

const selectWebhooksOfFirstPayment = prepared(
  (bind, queries, _of: { readonly subscriptionId: number; readonly trigger: string }) =>
    queries
      .selectFrom('webhooks')
      .selectAll()
      .where('trigger', '=', bind('trigger'))
      .where('transaction_id', '=', (first) =>
        first
          .selectFrom('transactions')
          .select('id')
          .where('subscription_id', '=', bind('subscriptionId'))
          .where(sql<boolean>`transaction_type is distinct from 'recurring'`)
          .orderBy('id')
          .limit(sql.lit(1)),
      )
      .orderBy('id'),
)

/** Copies webhooks to another transaction, without their calls. */
export const copyWebhooks = (
  queries: Queries,
  webhooks: readonly WebhookRow[],
  { id }: { readonly id: number },
  now: number,
): Promise<WebhookRow[]> =>
  insertWebhooks(
    queries,
    webhooks.map(({ id: _, ...webhook }) => ({
      ...webhook,
      transaction_id: id,
      response: null,
      request_body: null,
      delivery_id: null,
      created_at: now,
    })),
  )
