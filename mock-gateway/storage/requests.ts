import { sql } from 'kysely'
import { atMost } from './due.ts'
import { prepared } from './prepared.ts'
import type { NewRequestRow, RequestRow } from './tables/requests.ts'
import type { Queries } from './tables/schema.ts'

/** How many requests of a merchant are kept, and how many characters of them at most. */
export const KEPT = { requests: 1_000, characters: 8 * 1024 * 1024 } as const

/** Stands for the merchant of requests that proved to be nobody's. */
export const NOBODY = 0

export async function insertRequests(queries: Queries, rows: readonly NewRequestRow[]): Promise<void> {
  if (rows.length > 0) await insert(queries, rows)
}

const insert = prepared({
  build: (queries, rows: readonly NewRequestRow[]) => queries.insertInto('requests').values(rows),
  bind: (rows) => rows.flatMap((row) => Object.values(row)),
  shape: (rows) => String(rows.length),
})

/** Forgets all of a merchant's but the last, as many as `KEPT` says. */
export async function forgetOldRequests(queries: Queries, merchantId: number): Promise<void> {
  const counted = sql<{ id: number }>`
    select id from (
      select id, row_number() over (order by id desc) as place, sum(bytes) over (order by id desc) as total
      from requests where merchant_id = ${merchantId}
    ) as counted where place > ${sql.lit(KEPT.requests)} or total > ${sql.lit(KEPT.characters)}`
  await sql`delete from requests where id in (${counted})`.execute(queries)
}

/** Which requests are looked for. */
export interface RequestFilter {
  /** Undefined: everybody's. */
  readonly merchantId?: number | undefined
  readonly transactionId?: number | undefined
  /** Only those that were refused. */
  readonly refused?: boolean | undefined
  /** Only those with this error. */
  readonly error?: string | undefined
  /** Only those that moved a clock, from this moment on: epoch milliseconds. */
  readonly moved?: number | undefined
}

/** A request as lists show it. */
export type RequestHead = Omit<RequestRow, 'contents' | 'answer'>

const HEAD = [
  'id',
  'request_id',
  'merchant_id',
  'transaction_id',
  'method',
  'route',
  'status',
  'error',
  'explain',
  'duration',
  'bytes',
  'created_at',
] as const satisfies readonly (keyof RequestHead)[]

const matching = (queries: Queries, { merchantId, transactionId, refused, error, moved }: RequestFilter) =>
  queries
    .selectFrom('requests')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? NOBODY))
    .$if(transactionId !== undefined, (query) => query.where('transaction_id', '=', transactionId ?? 0))
    .$if(refused === true, (query) => query.where('error', 'is not', null))
    .$if(error !== undefined, (query) => query.where('error', '=', error ?? ''))
    .$if(moved !== undefined, (query) =>
      query
        .where('merchant_id', '=', NOBODY)
        .where('method', '<>', 'GET')
        .where('route', 'like', '/_control/clock%')
        .where('created_at', '>=', moved ?? 0),
    )
    .orderBy('id', 'desc')

/** The newest first, at most as many as are kept of a merchant. */
export const listRequests = (
  queries: Queries,
  filter: RequestFilter,
  limit: number = KEPT.requests,
): Promise<RequestHead[]> => matching(queries, filter).select(HEAD).limit(atMost(limit)).execute()

/** As `listRequests`, with their contents. */
export const findRequests = (
  queries: Queries,
  filter: RequestFilter,
  limit: number = KEPT.requests,
): Promise<RequestRow[]> => matching(queries, filter).selectAll().limit(atMost(limit)).execute()

/** @param requestId as the header X-Request-Id had it */
export const findRequest = (queries: Queries, requestId: string): Promise<RequestRow | undefined> =>
  queries.selectFrom('requests').selectAll().where('request_id', '=', requestId).executeTakeFirst()
