import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Id, tableCodec } from './codec.ts'
import { prepared } from './prepared.ts'
import type { Queries } from './schema.ts'

/** Pending until it is done; a dead one has used up its retries. */
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'dead'

/** One event for one webhook: what is sent was frozen when it happened. */
export interface WebhookDeliveryTable {
  id: Id
  merchant_id: number
  /** Those who hear of one event have it in common. */
  event_id: string
  /** The same in every attempt, by which a receiver knows a duplicate. */
  message_id: string
  transaction_id: number | null
  /** The webhook of the transaction; null for one of the merchant's templates. */
  webhook_id: number | null
  /** Name of the merchant's template. */
  template: string | null
  type: string
  trigger: string
  url: string | null
  http_method: string | null
  data_format: string | null
  email: string | null
  /** Host and port, of which at most a few are called at once; empty for e-mail. */
  host: string
  /** JSON text of the object that is sent. */
  body: string
  status: DeliveryStatus
  /** How many attempts of the schedule were made. */
  attempts: number
  /** When the next attempt falls due, by the merchant's clock; null when there is none. */
  due_at: number | null
  /** Until then somebody is sending it, by the machine's clock. */
  lease_until: number | null
  lease_owner: string | null
  created_at: number
  updated_at: number
}

export type WebhookDeliveryRow = Selectable<WebhookDeliveryTable>
export type NewWebhookDeliveryRow = Omit<Insertable<WebhookDeliveryTable>, 'id'>

export const webhookDeliveryCodec = tableCodec<WebhookDeliveryTable>({})

export async function insertDeliveries(queries: Queries, rows: readonly NewWebhookDeliveryRow[]): Promise<void> {
  if (rows.length > 0) await insert(queries, rows)
}

const insert = prepared({
  build: (queries, rows: readonly NewWebhookDeliveryRow[]) =>
    queries.insertInto('webhook_deliveries').values(rows).returning('id'),
  bind: (rows) => rows.flatMap((row) => Object.values(row)),
  shape: (rows) => rows.map((row) => Object.keys(row).join()).join(';'),
})

/** Which deliveries are looked for. */
export interface DueScope {
  /** Due at this moment or before, by the merchants' clock. */
  readonly until: number
  /** Only this merchant's. Default: those of every merchant but `except`. */
  readonly merchantId?: number | undefined
  readonly except?: readonly number[] | undefined
  /** Epoch milliseconds of the machine: what is leased beyond is being sent. */
  readonly machineNow: number
  /** Hosts that are being called as often as they may be. */
  readonly busyHosts?: readonly string[] | undefined
  readonly limit: number
}

/**
 * Deliveries that fall due, the earliest first. One whose transaction has an earlier event that nobody has tried to send
 * yet waits for it: first attempts go out in the order of what happened, and retries hold nothing up.
 */
export async function findDueDeliveries(queries: Queries, scope: DueScope): Promise<WebhookDeliveryRow[]> {
  const { until, merchantId, except = [], machineNow, busyHosts = [], limit } = scope
  const rows = await queries
    .selectFrom('webhook_deliveries as d')
    .selectAll('d')
    .where('d.status', '=', 'pending')
    .where('d.due_at', '<=', until)
    .where(({ eb, or }) => or([eb('d.lease_until', 'is', null), eb('d.lease_until', '<=', machineNow)]))
    .$if(merchantId !== undefined, (query) => query.where('d.merchant_id', '=', merchantId ?? 0))
    .$if(except.length > 0, (query) => query.where('d.merchant_id', 'not in', except))
    .$if(busyHosts.length > 0, (query) => query.where('d.host', 'not in', busyHosts))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhook_deliveries as earlier')
            .select(sql`1`.as('one'))
            .whereRef('earlier.transaction_id', '=', 'd.transaction_id')
            .whereRef('earlier.id', '<', 'd.id')
            .whereRef('earlier.event_id', '!=', 'd.event_id')
            .whereRef('earlier.due_at', '<=', 'd.due_at')
            .where('earlier.status', '=', 'pending')
            .where('earlier.attempts', '=', 0),
        ),
      ),
    )
    .orderBy('d.due_at')
    .orderBy('d.id')
    .limit(limit)
    .execute()
  return rows.map(webhookDeliveryCodec.decode)
}

/**
 * Takes a delivery for sending, unless somebody else has: the due moment it was found with must still be its own.
 * @param lease until when, in epoch milliseconds of the machine
 */
export async function leaseDelivery(
  queries: Queries,
  { id, due_at }: WebhookDeliveryRow,
  lease: { readonly owner: string; readonly until: number; readonly machineNow: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('webhook_deliveries')
    .set({ lease_owner: lease.owner, lease_until: lease.until })
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('due_at', '=', due_at)
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', lease.machineNow)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export type DeliveryChanges = Pick<
  Updateable<WebhookDeliveryTable>,
  'status' | 'attempts' | 'due_at' | 'lease_until' | 'lease_owner' | 'updated_at'
>

/** Writes down what became of a delivery; only its lease's owner may, while it has one. @returns false when another has it */
export async function updateDelivery(
  queries: Queries,
  id: number,
  changes: DeliveryChanges,
  owner?: string,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('webhook_deliveries')
    .set(changes)
    .where('id', '=', id)
    .$if(owner !== undefined, (query) => query.where('lease_owner', '=', owner ?? ''))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Gives back what was taken and not sent. */
export async function releaseLeases(queries: Queries, owner: string): Promise<void> {
  await queries
    .updateTable('webhook_deliveries')
    .set({ lease_owner: null, lease_until: null })
    .where('lease_owner', '=', owner)
    .execute()
}

/** The moment at which the next delivery falls due, of one merchant or of all but some; undefined when none does. */
export async function nextDueDelivery(
  queries: Queries,
  scope: Omit<DueScope, 'limit' | 'machineNow' | 'busyHosts'>,
): Promise<WebhookDeliveryRow | undefined> {
  return (await findDueDeliveries(queries, { ...scope, machineNow: Number.MAX_SAFE_INTEGER, limit: 1 }))[0]
}
