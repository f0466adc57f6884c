import { sql } from 'kysely'
import { atMost, type DueSearch, describeDueShape, isDue } from './due.ts'
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

/** A search for due deliveries that no gateway is sending; undefined members do not limit it. */
interface DeliverySearch extends DueSearch {
  /** Epoch milliseconds of the machine: a delivery with a later lease is being sent. */
  readonly machineNow: number
  /** A delivery that is due exactly at `until`, whatever events come before it. */
  readonly id?: number | undefined
  readonly host?: string | undefined
  readonly eventId?: string | undefined
}

/** Columns that decide when and where a delivery is sent. */
export type DueDelivery = Pick<
  WebhookDeliveryRow,
  'id' | 'merchant_id' | 'due_at' | 'event_id' | 'host'
>

/** Finds due deliveries, earliest first. */
export const findDueDeliveries = prepared(
  (bind: Bind<DeliverySearch>, _queries, search: DeliverySearch) => sql<DueDelivery>`
    select d.id, d.merchant_id, d.due_at, d.event_id, d.host ${selectDue(bind, search)}`,
  describeShape,
)

/**
 * Leases due deliveries to a gateway, with one statement. Two gateways on one PostgreSQL lease
 * different ones.
 */
export const claimDeliveries = prepared(
  (bind: Bind<DeliverySearch & Lease>, queries, search: DeliverySearch & Lease) =>
    sql<WebhookDeliveryRow>`
      with due as materialized (select d.id ${selectDue(bind, search)}
        ${isSqlite(queries) ? sql`` : sql`for update of d skip locked`})
      update webhook_deliveries
      set lease_owner = ${bind('owner')}, lease_until = ${bind('leaseUntil')}
      where id in (select id from due) returning *`,
  describeShape,
)

function describeShape(search: DeliverySearch): string {
  const { id, host, eventId } = search
  return `${describeDueShape(search)} ${[id, host, eventId].map((each) => each === undefined)}`
}

function selectDue(bind: Bind<DeliverySearch>, search: DeliverySearch) {
  const { id, host, eventId } = search
  const conditions = [
    sql`d.status = 'pending'`,
    isDue(bind, search, { at: 'd.due_at', merchantId: 'd.merchant_id', id: 'd.id' }),
    sql`(d.lease_until is null or d.lease_until <= ${bind('machineNow')})`,
    id === undefined ? IS_FIRST : sql`d.id = ${bind('id')} and d.due_at = ${bind('until')}`,
    ...(host === undefined ? [] : [sql`d.host = ${bind('host')}`]),
    ...(eventId === undefined ? [] : [sql`d.event_id = ${bind('eventId')}`]),
  ]
  return sql`from webhook_deliveries as d where ${sql.join(conditions, sql` and `)}
    order by d.due_at, d.id limit ${atMost(bind('limit'))}`
}

/**
 * The condition that no earlier event of the same transaction waits for its first attempt: first
 * attempts follow the order of events. Retries do not delay other deliveries. It compares a value
 * instead of using `not exists`, which PostgreSQL turns into a join that reads every pair before it
 * knows the number of pending deliveries.
 */
const IS_FIRST = sql`(
  select earlier.id from webhook_deliveries as earlier
  where earlier.transaction_id = d.transaction_id and earlier.id < d.id
    and earlier.status = 'pending' and earlier.attempts = 0
    and earlier.event_id <> d.event_id and earlier.type = d.type
    and earlier.due_at <= d.due_at
  limit 1) is null`

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
        and (lease_until is null or lease_until <= ${bind('machineNow')})
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
