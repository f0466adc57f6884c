import { sql } from 'kysely'
import { atMost, type DueSearch, dueShape, isDue } from './due.ts'
import { type Bind, bindColumns, bindEach, isSqlite, prepared } from './prepared.ts'
import { byIds } from './rows.ts'
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
  (bind: Bind<DeliverySearch>, queries, search: DeliverySearch) =>
    dueDeliveries(bind, queries, search).select([
      'd.id',
      'd.merchant_id',
      'd.due_at',
      'd.event_id',
      'd.host',
    ]),
  describeShape,
)

/**
 * Leases due deliveries to a gateway, with one statement. Two gateways on one PostgreSQL lease
 * different ones.
 */
export const claimDeliveries = prepared(
  (bind: Bind<DeliverySearch & Lease>, queries, search: DeliverySearch & Lease) =>
    queries
      .with(
        (as) => as('due').materialized(),
        () => {
          const due = dueDeliveries(bind, queries, search).select('d.id')
          return isSqlite(queries) ? due : due.forUpdate('d').skipLocked()
        },
      )
      .updateTable('webhook_deliveries')
      .set({
        lease_owner: bind('owner'),
        lease_until: bind('leaseUntil'),
      })
      .where('id', 'in', ({ selectFrom }) => selectFrom('due').select('id'))
      .returningAll(),
  describeShape,
)

function describeShape(search: DeliverySearch): string {
  const { id, host, eventId } = search
  return `${dueShape(search)} ${[id, host, eventId].map((each) => each === undefined)}`
}

function dueDeliveries(bind: Bind<DeliverySearch>, queries: Queries, search: DeliverySearch) {
  const { id, host, eventId } = search
  const columns = { at: 'd.due_at', merchantId: 'd.merchant_id', id: 'd.id' }
  const due = queries
    .selectFrom('webhook_deliveries as d')
    .where('d.status', '=', sql.lit('pending'))
    .where(isDue(bind, search, columns))
    .where(({ eb, or }) =>
      or([eb('d.lease_until', 'is', null), eb('d.lease_until', '<=', bind('machineNow'))]),
    )
    .$if(id !== undefined, (query) =>
      query
        .where(
          'd.id',
          '=',
          bind((given) => given.id ?? 0),
        )
        .where('d.due_at', '=', bind('until')),
    )
    .$if(host !== undefined, (query) =>
      query.where(
        'd.host',
        '=',
        bind((given) => given.host ?? ''),
      ),
    )
    .$if(eventId !== undefined, (query) =>
      query.where(
        'd.event_id',
        '=',
        bind((given) => given.eventId ?? ''),
      ),
    )
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(atMost(bind('limit')))
  return id === undefined ? due.where(isFirstOfTransaction(queries)) : due
}

/**
 * The condition that no earlier event of the same transaction waits for its first attempt: first
 * attempts follow the order of events. Retries do not delay other deliveries.
 */
const isFirstOfTransaction = (queries: Queries) =>
  // Compares a value instead of using `not exists`, which PostgreSQL turns into a join that reads
  // every pair before it knows the number of pending deliveries.
  sql<boolean>`${queries
    .selectFrom('webhook_deliveries as earlier')
    .select('earlier.id')
    .where(sql<boolean>`earlier.transaction_id = d.transaction_id and earlier.id < d.id
      and earlier.status = 'pending' and earlier.attempts = 0
      and earlier.event_id <> d.event_id and earlier.type = d.type
      and earlier.due_at <= d.due_at`)
    .limit(sql.lit(1))} is null`

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
export async function renewLeases(
  queries: Queries,
  ids: readonly number[],
  { owner, leaseUntil }: Lease,
): Promise<void> {
  await byIds(ids, (some) =>
    queries
      .updateTable('webhook_deliveries')
      .set({ lease_until: leaseUntil })
      .where('id', 'in', some)
      .where('lease_owner', '=', owner)
      .execute(),
  )
}

/**
 * Ends the leases of deliveries, and changes all of them in the same way.
 * @returns the ids of those whose lease the owner had; another gateway has taken the others
 */
export async function endLeases(
  queries: Queries,
  ids: readonly number[],
  owner: string,
  changes: DeliveryChanges,
): Promise<number[]> {
  const ended = await byIds(ids, (some) => updateLeased(queries, { ids: some, owner, changes }))
  return ended.map(({ id }) => id)
}

const updateLeased = prepared(
  (bind: Bind<LeaseEnd>, queries, { ids, changes }: LeaseEnd) =>
    queries
      .updateTable('webhook_deliveries')
      .set({
        ...bindColumns(bind, changes, (end) => end.changes),
        lease_owner: null,
        lease_until: null,
      })
      .where(
        'id',
        'in',
        bindEach(bind, ids, (end) => end.ids),
      )
      .where('lease_owner', '=', bind('owner'))
      .returning('id'),
  ({ ids, changes }) => `${Object.keys(changes).join()} ${ids.length}`,
)

interface LeaseEnd {
  readonly ids: readonly number[]
  readonly owner: string
  readonly changes: DeliveryChanges
}
