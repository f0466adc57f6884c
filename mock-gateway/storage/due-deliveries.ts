import { sql } from 'kysely'
import { atMost, IS_FIRST, isFree } from './due.ts'
import { type Bind, byIds, isSqlite, prepared } from './prepared.ts'
import { updateRows } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type { WebhookDeliveryRow } from './tables/webhook-deliveries.ts'
import type { DeliveryChanges } from './webhook-deliveries.ts'

/** The gateway that sends a delivery, and the end of its lease, in milliseconds of the machine. */
export interface Lease {
  readonly owner: string
  readonly leaseUntil: number
}

/** The deliveries to lease: one that is due exactly at `until`, or those of a host until then. */
interface DeliveryClaim extends Lease {
  /** Epoch milliseconds by the merchant's clock. */
  readonly until: number
  /** Epoch milliseconds of the machine. */
  readonly machineNow: number
  readonly limit: number
  /** A delivery, whatever events come before it. */
  readonly id?: number | undefined
  readonly host?: string | undefined
}

/**
 * Leases due deliveries to a gateway, with one statement. Two gateways on one PostgreSQL lease
 * different ones.
 */
export const claimDeliveries = prepared(
  (bind: Bind<DeliveryClaim>, queries, { id }: DeliveryClaim) => sql<WebhookDeliveryRow>`
    with due as materialized (
      select d.id from webhook_deliveries as d
      where d.status = 'pending' and ${isFree(bind)} and ${
        id === undefined
          ? sql`d.host = ${bind('host')} and d.due_at <= ${bind('until')} and ${IS_FIRST}`
          : sql`d.id = ${bind('id')} and d.due_at = ${bind('until')}`
      }
      order by d.due_at, d.id limit ${atMost(bind('limit'))}
      ${isSqlite(queries) ? sql`` : sql`for update of d skip locked`})
    update webhook_deliveries
    set lease_owner = ${bind('owner')}, lease_until = ${bind('leaseUntil')}
    where id in (select id from due) returning *`,
  ({ id }) => String(id === undefined),
)

/** A host, and the time at which its first delivery that is not being sent is due. */
export interface DueHost {
  readonly host: string
  /** Null: all its deliveries are held or being sent. */
  readonly dueAt: number | null
}

/** Finds every host with pending deliveries, with two index lookups for each. */
export const findDueHosts = prepared((bind: Bind<{ readonly machineNow: number }>) => {
  const next = sql`select min(host) from webhook_deliveries where status = 'pending'`
  return sql<DueHost>`
    with recursive hosts(host) as (
      select (${next}) union all
      select (${next} and host > hosts.host) from hosts where hosts.host is not null
    ) select host, (
      select due_at from webhook_deliveries as d
      where d.status = 'pending' and d.host = hosts.host and due_at is not null
        and ${isFree(bind)}
      order by due_at, id limit 1
    ) as "dueAt" from hosts where host is not null`
})

/** Renews the leases of deliveries that are still being sent. */
export const renewLeases = (queries: Queries, ids: readonly number[], lease: Lease) =>
  byIds(ids, (id) =>
    updateRows(
      queries,
      'webhook_deliveries',
      { id, lease_owner: lease.owner },
      { lease_until: lease.leaseUntil },
    ),
  )

/**
 * Ends the leases of deliveries, and changes all of them in the same way.
 * @returns those whose lease the owner had; another gateway has taken the others
 */
export const endLeases = (
  queries: Queries,
  ids: readonly number[],
  lease_owner: string,
  changes: DeliveryChanges,
): Promise<WebhookDeliveryRow[]> =>
  byIds(ids, (id) =>
    updateRows(
      queries,
      'webhook_deliveries',
      { id, lease_owner },
      { ...changes, lease_owner: null, lease_until: null },
    ),
  )
