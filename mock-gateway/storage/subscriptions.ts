import type { Queries } from './tables/schema.ts'
import {
  type NewSubscriptionRow,
  type SubscriptionChanges,
  type SubscriptionRow,
  subscriptionCodec,
} from './tables/subscriptions.ts'

export async function insertSubscription(queries: Queries, row: NewSubscriptionRow): Promise<SubscriptionRow> {
  const insert = queries.insertInto('subscriptions').values(subscriptionCodec.encode(row))
  return subscriptionCodec.decode(await insert.returningAll().executeTakeFirstOrThrow())
}

export async function updateSubscription(
  queries: Queries,
  id: number,
  changes: SubscriptionChanges,
): Promise<SubscriptionRow> {
  const update = queries.updateTable('subscriptions').set(subscriptionCodec.encode(changes)).where('id', '=', id)
  return subscriptionCodec.decode(await update.returningAll().executeTakeFirstOrThrow())
}
