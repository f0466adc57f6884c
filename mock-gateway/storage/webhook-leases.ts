import { sql } from 'kysely'
import { prepared } from './prepared.ts'
import { byIds } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type { FullDelivery } from './tables/webhook-deliveries.ts'
import { type DeliveryChanges, withBodies } from './webhook-deliveries.ts'

/** The sender of a delivery and the end of its lease, in milliseconds of the machine. */
export interface Lease {
  readonly owner: string
  readonly machineNow: number
  readonly until: number
}

/** A delivery that was due, and the time at which it was. */
interface FoundDelivery {
  readonly id: number
  readonly at: number
}

/**
 * Leases deliveries.
 * @returns the ones that no other gateway has leased, and that are due as they were found
 */
export async function leaseDeliveries(
  queries: Queries,
  found: readonly FoundDelivery[],
  lease: Lease,
): Promise<FullDelivery[]> {
  return withBodies(queries, await leaseRows(queries, { found, lease }))
}

interface LeaseRequest {
  readonly found: readonly FoundDelivery[]
  readonly lease: Lease
}

const leaseRows = prepared({
  build: (queries, { found, lease: { owner, machineNow, until } }: LeaseRequest) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ lease_owner: owner, lease_until: until })
      .where(
        'id',
        'in',
        found.map(({ id }) => id),
      )
      .where('status', '=', sql.lit('pending'))
      .where(({ eb, or }) =>
        or([eb('lease_until', 'is', null), eb('lease_until', '<=', machineNow)]),
      )
      .where(({ eb, or, and }) =>
        or(found.map(({ id, at }) => and([eb('id', '=', id), eb('due_at', '=', at)]))),
      )
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

/** Renews leases of deliveries that are still being sent. */
export async function renewLeases(
  queries: Queries,
  ids: readonly number[],
  { owner, until }: Lease,
): Promise<void> {
  await byIds(ids, (some) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ lease_until: until })
      .where('id', 'in', some)
      .where('lease_owner', '=', owner)
      .execute(),
  )
}

/**
 * Writes down what became of deliveries, the same of all. @returns the ids of those whose lease the
 * owner had
 */
export async function updateLeased(
  queries: Queries,
  ids: readonly number[],
  owner: string,
  changes: DeliveryChanges,
): Promise<number[]> {
  const ended = await byIds(ids, (some) => endLeases(queries, { ids: some, owner, changes }))
  return ended.map(({ id }) => id)
}

/** Ends leases, except those that another owner has taken meanwhile. */
const endLeases = prepared({
  build: (queries, { ids, owner, changes }: LeaseEnd) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ ...changes, lease_owner: null, lease_until: null })
      .where('id', 'in', ids)
      .where('lease_owner', '=', owner)
      .returning('id'),
  bind: ({ ids, owner, changes }) => [...Object.values(changes), null, null, ...ids, owner],
  shape: ({ ids, changes }) => `${Object.keys(changes).join()} ${ids.length}`,
})

interface LeaseEnd {
  readonly ids: readonly number[]
  readonly owner: string
  readonly changes: DeliveryChanges
}
