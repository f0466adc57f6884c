import { sql } from 'kysely'
import { BEFORE_PAYMENT } from '../domain/webhook/triggers.ts'
import { byIds } from './prepared.ts'
import { deleteRows, findAll, insertRows, type Where } from './rows.ts'
import type { Queries } from './tables/schema.ts'
import type {
  DeliveryStatus,
  FullDelivery,
  WebhookBodyRow,
  WebhookDeliveryRow,
} from './tables/webhook-deliveries.ts'

export type NewDelivery = Omit<FullDelivery, 'id'>

/** @returns their ids, in the same order */
export async function insertDeliveries(
  queries: Queries,
  deliveries: readonly NewDelivery[],
): Promise<number[]> {
  const ids = await insertRows(
    queries,
    'webhook_deliveries',
    deliveries.map(({ body: _body, traceparent: _trace, ...row }) => row),
  )
  const bodies = deliveries.map(({ body, traceparent }, place) => ({
    id: ids[place] as number,
    body,
    traceparent,
  }))
  await insertRows(queries, 'webhook_bodies', bodies)
  return ids
}

/**
 * Counts the events of a transaction that fire webhooks, without webhooks before the payment and
 * without alerts.
 */
export async function countEvents(queries: Queries, transactionId: number | null): Promise<number> {
  const { count } = await queries
    .selectFrom('webhook_deliveries')
    .select(sql<number | string>`count(distinct event_id)`.as('count'))
    .where('transaction_id', '=', transactionId)
    .where('trigger', 'not in', [BEFORE_PAYMENT, 'alert'])
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Builds the column host: a merchant's slow shop does not delay other merchants' webhooks to the
 * same host. The host of a mail is empty.
 */
export const hostKey = (merchantId: number, host: string): string => `${merchantId} ${host}`

/** A choice of deliveries to list or to resend. */
export type DeliveryFilter = Where<'webhook_deliveries'>

export type DeliveryChanges = Partial<Omit<WebhookDeliveryRow, 'id' | 'merchant_id'>>

type DeliveryState = Pick<
  WebhookDeliveryRow,
  'id' | 'transaction_id' | 'status' | 'attempts' | 'url'
>

const WORST: readonly DeliveryStatus[] = ['delivered', 'pending', 'failed', 'dead']

/** Finds the webhook of each payment that has the worst status; a pending one is worse if it failed. */
export async function findWorstDeliveries(
  queries: Queries,
  transactions: readonly number[],
): Promise<ReadonlyMap<number | null, DeliveryState>> {
  const rows = await byIds(transactions, (some) =>
    queries
      .selectFrom('webhook_deliveries')
      .select(['id', 'transaction_id', 'status', 'attempts', 'url'])
      .where('transaction_id', 'in', some)
      .execute(),
  )
  const rank = ({ status, attempts }: DeliveryState) =>
    WORST.indexOf(status) + (status === 'pending' && attempts > 0 ? 0.5 : 0)
  const worstLast = rows.toSorted((one, other) => rank(one) - rank(other))
  return new Map(worstLast.map((row) => [row.transaction_id, row]))
}

/** Deliveries with their bodies; one is left out that has been taken away since. */
export async function withBodies(
  queries: Queries,
  rows: readonly WebhookDeliveryRow[],
): Promise<FullDelivery[]> {
  const found = await findBodies(
    queries,
    rows.map(({ id }) => id),
  )
  const bodies = new Map(found.map((body) => [body.id, body]))
  return rows.flatMap((row) => {
    const body = bodies.get(row.id)
    return body === undefined ? [] : [{ ...row, ...body }]
  })
}

/** Columns about the subject of a delivery. */
export type DeliveryHead = Pick<
  WebhookDeliveryRow,
  'id' | 'event_id' | 'message_id' | 'trigger' | 'url' | 'transaction_id' | 'created_at'
>

/** Reads the bodies of deliveries by id. */
export async function findBodyTexts(
  queries: Queries,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = await findBodies(queries, [...new Set(ids)])
  return new Map(rows.map(({ id, body }) => [id, body]))
}

const findBodies = (queries: Queries, ids: readonly number[]): Promise<WebhookBodyRow[]> =>
  byIds(ids, (id) => findAll(queries, 'webhook_bodies', { id }))

/**
 * Changes a delivery that is not being sent.
 * @returns false if it is
 */
export async function updateResting(
  queries: Queries,
  id: number,
  changes: DeliveryChanges,
  machineNow: number,
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('webhook_deliveries')
    .set(changes)
    .where('id', '=', id)
    .where(({ eb, or }) => or([eb('lease_until', 'is', null), eb('lease_until', '<=', machineNow)]))
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/**
 * Makes held deliveries of an order, or of a merchant, due.
 * @returns their number
 */
export async function releaseDeliveries(
  queries: Queries,
  {
    merchantId,
    paymentRef,
    due_at,
  }: {
    readonly merchantId: number
    readonly paymentRef: string | undefined
    readonly due_at: number
  },
): Promise<number> {
  const { numUpdatedRows } = await queries
    .updateTable('webhook_deliveries')
    .set({ due_at })
    .where('merchant_id', '=', merchantId)
    .where('status', '=', 'pending')
    .where('due_at', 'is', null)
    .$if(paymentRef !== undefined, (query) =>
      query.where(({ selectFrom, eb }) =>
        eb(
          'transaction_id',
          'in',
          selectFrom('transactions')
            .select('id')
            .where('merchant_id', '=', merchantId)
            .where('payment_ref', '=', paymentRef ?? ''),
        ),
      ),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/**
 * Deletes a delivery with its attempts and mails. A webhook that was last sent with its body still
 * shows that body.
 */
export async function deleteDelivery(queries: Queries, id: number): Promise<void> {
  await sql`update webhooks set request_body = kept.body, delivery_id = null
    from webhook_deliveries as gone join webhook_bodies as kept on kept.id = gone.id
    where gone.id = ${id} and webhooks.transaction_id = gone.transaction_id
      and webhooks.delivery_id = gone.id`.execute(queries)
  for (const table of ['webhook_attempts', 'mails'] as const)
    await deleteRows(queries, table, { delivery_id: id })
  for (const table of ['webhook_bodies', 'webhook_deliveries'] as const)
    await deleteRows(queries, table, { id })
}
