import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Queries, SubscriptionTable } from './schema.ts'

export type SubscriptionRow = Selectable<SubscriptionTable>

export function insertSubscription(queries: Queries, row: Insertable<SubscriptionTable>): Promise<SubscriptionRow> {
  return queries.insertInto('subscriptions').values(row).returningAll().executeTakeFirstOrThrow()
}

export function updateSubscription(
  queries: Queries,
  id: number,
  changes: Omit<Updateable<SubscriptionTable>, 'id' | 'merchant_id'>,
): Promise<SubscriptionRow> {
  return queries.updateTable('subscriptions').set(changes).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}
