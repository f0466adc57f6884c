import { sql } from 'kysely'
import { atMost } from './due.ts'
import { byIds } from './prepared.ts'
import { namesWithout } from './tables/columns.ts'
import {
  type RequestContents,
  type RequestRow,
  readContents,
  requestColumns,
} from './tables/requests.ts'
import type { Queries } from './tables/schema.ts'

/** Maximum number of stored requests of a merchant, and of their characters. */
export const KEPT_REQUESTS = { most: 1_000, characters: 8 * 1024 * 1024 } as const

/** Stands for the merchant of requests without a valid login. */
export const NOBODY = 0

/** Deletes the oldest requests of a merchant beyond the limits in `KEPT_REQUESTS`. */
export async function forgetOldRequests(queries: Queries, merchantId: number): Promise<void> {
  const tooMany = sql<number>`
    select id from requests where merchant_id = ${merchantId}
    order by id desc limit 1 offset ${sql.lit(KEPT_REQUESTS.most)}`
  await sql`delete from requests where merchant_id = ${merchantId} and id <= (${tooMany})`.execute(
    queries,
  )
  const sum = sql<{ total: number | string }>`
    select coalesce(sum(bytes), 0) as total from requests where merchant_id = ${merchantId}`
  const [kept] = (await sum.execute(queries)).rows
  if (Number(kept?.total) > KEPT_REQUESTS.characters) await forgetLongRequests(queries, merchantId)
}

/**
 * Adds up the characters of each and all that are newer, which takes five times as long as to count
 * them.
 */
async function forgetLongRequests(queries: Queries, merchantId: number): Promise<void> {
  const added = sql<{ id: number }>`
    select id from (
      select id, sum(bytes) over (order by id desc) as total
      from requests where merchant_id = ${merchantId}
    ) as added where total > ${sql.lit(KEPT_REQUESTS.characters)}`
  await sql`delete from requests where id in (${added})`.execute(queries)
}

/** A choice of requests to list. */
export interface RequestFilter {
  /** Merchant; undefined: all merchants. */
  readonly merchantId?: number | undefined
  readonly transactionId?: number | undefined
  /** Result: true selects rejected requests, false accepted ones. */
  readonly refused?: boolean | undefined
  /** Name of the error. */
  readonly error?: string | undefined
  readonly method?: string | undefined
  /** Pattern of the route; null: requests that fit no route. */
  readonly route?: string | null | undefined
  /** If false, accepted requests of a payer's browser to the payment page and the bank are left out. */
  readonly views?: boolean | undefined
}

/** Routes of the payment page, of 3-D Secure and of the bank's pages. */
const PAYER_ROUTES: readonly string[] = [
  '/pay/:token',
  '/v1/form/:token',
  '/v1/form/:token/back',
  '/v1/form/:token/result',
  '/v1/form/:token/story',
  '/v1/form/:token/trouble',
  '/v1/mpi_js',
  '/v1/mpi_js/:nonce',
  '/v1/mpi_js/:nonce/cancel',
  '/v1/mpi_js/return',
  '/v1/mpi_js/result/:token',
  '/v1/acs/:token',
  '/v1/acs/:token/app',
  '/v1/acs/:token/page',
  '/v1/acs/payment/:token',
]

/** A request as lists show it. */
export type RequestHead = Omit<RequestRow, 'contents' | 'answer'>

const HEAD = namesWithout(requestColumns, 'contents', 'answer')

const matching = (
  queries: Queries,
  { merchantId, transactionId, refused, error, method, route, views }: RequestFilter,
) =>
  queries
    .selectFrom('requests')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? NOBODY))
    .$if(transactionId !== undefined, (query) =>
      query.where('transaction_id', '=', transactionId ?? 0),
    )
    .$if(refused !== undefined, (query) => query.where('error', refused ? 'is not' : 'is', null))
    .$if(error !== undefined, (query) => query.where('error', '=', error ?? ''))
    .$if(method !== undefined, (query) => query.where('method', '=', method ?? ''))
    .$if(route !== undefined, (query) =>
      query.where('route', route === null ? 'is' : '=', route ?? null),
    )
    .$if(views === false, (query) =>
      query.where(({ or, eb }) =>
        or([
          eb('error', 'is not', null),
          eb('route', 'is', null),
          eb('route', 'not in', PAYER_ROUTES),
        ]),
      ),
    )
    .orderBy('id', 'desc')

/** Lists requests, newest first, at most as many as are stored for a merchant. */
export const listRequests = (
  queries: Queries,
  filter: RequestFilter,
  {
    limit = KEPT_REQUESTS.most,
    offset = 0,
  }: { readonly limit?: number; readonly offset?: number } = {},
): Promise<RequestHead[]> =>
  matching(queries, filter).select(HEAD).limit(atMost(limit)).offset(offset).execute()

/** Like `listRequests`, with their contents. */
export const findRequests = (
  queries: Queries,
  filter: RequestFilter,
  limit: number = KEPT_REQUESTS.most,
): Promise<RequestRow[]> => matching(queries, filter).selectAll().limit(atMost(limit)).execute()

/** The ids of a merchant's, the newest first. */
export async function requestIds(queries: Queries, merchantId: number): Promise<number[]> {
  const rows = await matching(queries, { merchantId })
    .select('id')
    .limit(atMost(KEPT_REQUESTS.most))
    .execute()
  return rows.map(({ id }) => id)
}

/**
 * Lists the accepted requests of a merchant with their parameters, newest first.
 * @param from the id of the oldest
 */
export const findAcceptedRequests = (
  queries: Queries,
  merchantId: number,
  from: number,
): Promise<Omit<RequestRow, 'answer'>[]> =>
  matching(queries, { merchantId, refused: false })
    .where('id', '>=', from)
    .select([...HEAD, 'contents'])
    .limit(atMost(KEPT_REQUESTS.most))
    .execute()

/** Returns the contents of requests by their ids. */
export async function requestContents(
  queries: Queries,
  ids: readonly number[],
): Promise<ReadonlyMap<number, RequestContents>> {
  const rows = await byIds(ids, (some) =>
    queries.selectFrom('requests').select(['id', 'contents']).where('id', 'in', some).execute(),
  )
  return new Map(rows.map((row) => [row.id, readContents(row)]))
}

/** Errors of a request whose login failed or was locked. */
const LOGIN_ERRORS = ['errors.authentication.failed', 'errors.account.locked']

/** Number of requests with a failed login that are searched for those of one merchant. */
const SEARCHED_LOGINS = 100

/** Finds the newest requests with a merchant's id and a wrong password, the newest first. */
export async function findFailedLogins(
  queries: Queries,
  merchantId: number,
): Promise<RequestHead[]> {
  const rows = await matching(queries, { merchantId: NOBODY })
    .where('error', 'in', LOGIN_ERRORS)
    .selectAll()
    .limit(sql.lit(SEARCHED_LOGINS))
    .execute()
  return rows.filter((row) => readContents(row).claimed === merchantId)
}

/** Requests that were refused alike: with the same error, at the same call. */
export interface ErrorGroup {
  readonly merchantId: number
  readonly error: string
  readonly method: string
  readonly route: string | null
  readonly count: number
  /** Epoch milliseconds, by the merchant's clock. */
  readonly firstAt: number
  readonly lastAt: number
  /** The newest of them. */
  readonly newest: RequestHead
}

/**
 * Groups the errors of the stored requests; the most frequent comes first, then the newest.
 * @param merchantId undefined: all merchants
 */
export async function groupErrors(queries: Queries, merchantId?: number): Promise<ErrorGroup[]> {
  const groups = await queries
    .selectFrom('requests')
    .$if(merchantId !== undefined, (query) => query.where('merchant_id', '=', merchantId ?? NOBODY))
    .where('error', 'is not', null)
    .groupBy(['merchant_id', 'error', 'method', 'route'])
    .select(({ fn }) => [
      fn.countAll<number | string>().as('count'),
      fn.min<number | string>('created_at').as('firstAt'),
      fn.max<number | string>('created_at').as('lastAt'),
      fn.max<number | string>('id').as('newest'),
    ])
    .execute()
  const ids = groups.map(({ newest }) => Number(newest))
  const heads = await byIds(ids, (some) =>
    queries.selectFrom('requests').select(HEAD).where('id', 'in', some).execute(),
  )
  return heads
    .flatMap((newest): ErrorGroup[] => {
      const group = groups[ids.indexOf(newest.id)]
      const { merchant_id: whose, error, method, route } = newest
      if (!group || error === null) return []
      const [count, firstAt, lastAt] = [group.count, group.firstAt, group.lastAt].map(Number) as [
        number,
        number,
        number,
      ]
      return [{ merchantId: whose, error, method, route, count, firstAt, lastAt, newest }]
    })
    .sort((one, other) => other.count - one.count || other.newest.id - one.newest.id)
}
