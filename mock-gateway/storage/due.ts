import { type RawBuilder, sql } from 'kysely'
import { prepared } from './prepared.ts'
import type { Queries, Tables } from './tables/schema.ts'

/** A search for due items: their merchant, and a time. */
export interface DueScope {
  /** Epoch milliseconds: work is due at this moment or before. */
  readonly until: number
  /** A merchant; undefined: all merchants. */
  readonly merchantId?: number | undefined
  /** Merchants to leave out, because they have their own clocks. */
  readonly except?: readonly number[] | undefined
  /** Ids that are left out, because they are being done or have just failed. */
  readonly without?: readonly number[] | undefined
}

/** The columns of a table that describe its due items, as SQL. */
interface DueColumns {
  readonly at: string
  readonly merchantId?: string
  readonly id?: string
}

/**
 * The condition that a row is due: `queries.selectFrom('subscriptions').where(isDue(scope, { at:
 * 'next_at' }))`.
 * @param columns default: merchant_id and id
 */
export function isDue(scope: DueScope, columns: DueColumns): RawBuilder<boolean> {
  const { at, merchantId = 'merchant_id', id = 'id' } = columns
  const conditions = [
    sql`${sql.ref(at)} <= ${scope.until}`,
    ...(scope.merchantId === undefined ? [] : [sql`${sql.ref(merchantId)} = ${scope.merchantId}`]),
    ...noneOf(merchantId, scope.except),
    ...noneOf(id, scope.without),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Returns the values that `isDue` binds, in their order. */
export const dueValues = ({ until, merchantId, except = [], without = [] }: DueScope) => [
  until,
  ...(merchantId === undefined ? [] : [merchantId]),
  ...except,
  ...without,
]

/** Returns a key: the conditions of scopes with the same key have the same text. */
export const dueShape = ({ merchantId, except = [], without = [] }: DueScope): string =>
  `${merchantId === undefined} ${except.length} ${without.length}`

/**
 * A limit for cached statements. If a limit is only a parameter, SQLite prepares the statement
 * again for each value, which takes ten times as long as finding that nothing is due. A constant
 * limit is part of the statement instead: `sql.lit`.
 */
export const atMost = (limit: number): RawBuilder<number> => sql<number>`cast(${limit} as bigint)`

const noneOf = (column: string, values: readonly number[] = []) =>
  values.length === 0 ? [] : [sql`${sql.ref(column)} not in (${sql.join(values)})`]

/** A table whose rows fall due. */
interface DueTable {
  readonly table: keyof Tables
  /** The column of the moment. */
  readonly at: string
  /** The column of the id under which it is due. */
  readonly id?: string
  /** Condition for rows that can fall due; undefined: all rows. */
  readonly which?: RawBuilder<unknown>
}

interface DueRow {
  readonly id: number
  readonly merchantId: number
  readonly at: number
}

function finderOf({ table, at, id = 'id', which = sql`true` }: DueTable) {
  const find = prepared({
    build: (_queries, { scope, limit }: { readonly scope: DueScope; readonly limit: number }) =>
      sql<DueRow>`
        select ${sql.ref(id)} as "id", merchant_id as "merchantId", ${sql.ref(at)} as "at"
        from ${sql.table(table)} where ${which} and ${isDue(scope, { at, id })}
        order by ${sql.ref(at)}, ${sql.ref(id)} limit ${atMost(limit)}`,
    bind: ({ scope, limit }) => [...dueValues(scope), limit],
    shape: ({ scope }) => dueShape(scope),
  })
  return (queries: Queries, scope: DueScope, limit: number): Promise<readonly DueRow[]> =>
    find(queries, { scope, limit })
}

/**
 * Finds expired pages without a payment, oldest first. While a payer answers elsewhere, the time
 * limit of the answer applies.
 */
export const findExpiredPages = finderOf({
  table: 'transactions',
  at: 'expires_at',
  which: sql`status = 'pending' and expires_at is not null and answer_by is null`,
})

/** Finds payments whose payers have not answered elsewhere in time, oldest first. */
export const findUnanswered = finderOf({
  table: 'transactions',
  at: 'answer_by',
  which: sql`status = 'pending'`,
})

/** Subscriptions whose next charge is due, the first first. */
export const findDueCharges = finderOf({
  table: 'subscriptions',
  at: 'next_at',
  which: sql`status = 'active'`,
})

/** Captures that the bank has answered by a moment, the first first. */
export const findAnsweredCaptures = finderOf({
  table: 'pending_captures',
  at: 'answer_at',
  id: 'transaction_id',
})

/** Authentications that are open when their time is over, the first first. */
export const findDueAuthentications = finderOf({
  table: 'authentications',
  at: 'expires_at',
  which: sql`status = 'open'`,
})
