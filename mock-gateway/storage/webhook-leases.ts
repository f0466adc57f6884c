import { sql } from 'kysely'
import { prepared } from './prepared.ts'
import { byIds } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type { FullDelivery } from './tables/webhook-deliveries.ts'
import { type DeliveryChanges, withBodies } from './webhook-deliveries.ts'

/** Who sends a delivery, and until when: the milliseconds are the machine's. */
export interface Lease {
  readonly owner: string
  readonly machineNow: number
  readonly until: number
}

/** Which deliveries are taken: each as it was found. */
interface Taking {
  readonly found: readonly { readonly id: number; readonly at: number }[]
  readonly lease: Lease
}

/** Takes deliveries for sending. @returns those that nobody else has, and that are due as they were found */
export async function leaseDeliveries(queries: Queries, found: Taking['found'], lease: Lease): Promise<FullDelivery[]> {
  return withBodies(queries, await take(queries, { found, lease }))
}

const take = prepared({
  build: (queries, { found, lease: { owner, machineNow, until } }: Taking) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ lease_owner: owner, lease_until: until })
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where('status', '=', sql.lit('pending'))
      .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', machineNow)]))
      .where(({ eb, or, and }) => or(found.map(({ id, at }) => and([eb('id', '=', id), eb('due_at', '=', at)]))))
      .returningAll(),
  bind: ({ found, lease: { owner, machineNow, until } }) => [
    owner,
    until,
    ...found.map(({ id }) => id),
    machineNow,
    ...found.flatMap(({ id, at }) => [id, at]),
  ],
  shape: ({ found }) => String(found.length),
})

/** Keeps what somebody has taken: it is at work on it still. */
export async function renewLeases(queries: Queries, ids: readonly number[], { owner, until }: Lease): Promise<void> {
  await byIds(ids, (some) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ lease_until: until })
      .where('id', 'in', some)
      .where('lease_owner', '=', owner)
      .execute(),
  )
}

/** What became of deliveries. */
interface Ending {
  readonly ids: readonly number[]
  /** Of their leases: nothing is changed of one that another has by now. */
  readonly owner: string
  readonly changes: DeliveryChanges
}

/** Writes down what became of deliveries, the same of all. @returns the ids of those whose lease the owner had */
export async function updateLeased(
  queries: Queries,
  ids: readonly number[],
  owner: string,
  changes: DeliveryChanges,
): Promise<number[]> {
  const ended = await byIds(ids, (some) => endLeases(queries, { ids: some, owner, changes }))
  return ended.map(({ id }) => id)
}

const endLeases = prepared({
  build: (queries, { ids, owner, changes }: Ending) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ ...changes, lease_owner: null, lease_until: null })
      .where('id', 'in', ids)
      .where('lease_owner', '=', owner)
      .returning('id'),
  bind: ({ ids, owner, changes }) => [...Object.values(changes), null, null, ...ids, owner],
  shape: ({ ids, changes }) => `${ids.length} ${Object.keys(changes).join()}`,
})
