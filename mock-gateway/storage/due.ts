import { type RawBuilder, sql } from 'kysely'
import { type Bind, bindEach, prepared } from './prepared.ts'
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

/** A search for the first due items. */
export interface DueSearch extends DueScope {
  readonly limit: number
}

/** The columns of a table that describe its due items, as SQL. */
interface DueColumns {
  readonly at: string
  readonly merchantId?: string
  readonly id?: string
}

/**
 * The condition that a row is due: `queries.selectFrom('subscriptions').where(isDue(bind, scope, {
 * at: 'next_at' }))`.
 * @param columns default: merchant_id and id
 */
export function isDue(
  bind: Bind<DueScope>,
  { merchantId: ofMerchant, except = [], without = [] }: DueScope,
  { at, merchantId = 'merchant_id', id = 'id' }: DueColumns,
): RawBuilder<boolean> {
  const excludeIds = (
    column: string,
    list: readonly number[],
    read: (of: DueScope) => typeof list,
  ) =>
    list.length === 0
      ? []
      : [sql`${sql.ref(column)} not in (${sql.join(bindEach(bind, list, read))})`]
  const conditions = [
    sql`${sql.ref(at)} <= ${bind('until')}`,
    ...(ofMerchant === undefined ? [] : [sql`${sql.ref(merchantId)} = ${bind('merchantId')}`]),
    ...excludeIds(merchantId, except, (scope) => scope.except ?? []),
    ...excludeIds(id, without, (scope) => scope.without ?? []),
  ]
  return sql<boolean>`(${sql.join(conditions, sql` and `)})`
}

/** Returns a key: the conditions of scopes with the same key have the same text. */
export const describeDueShape = ({ merchantId, except = [], without = [] }: DueScope): string =>
  `${merchantId === undefined} ${except.length} ${without.length}`

/**
 * A limit for cached statements. If a limit is only a parameter, SQLite prepares the statement
 * again for each value, which takes ten times as long as finding that nothing is due. A constant
 * limit is part of the statement instead: `sql.lit`.
 */
export const atMost = (limit: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`cast(${limit} as bigint)`

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

function createFinder({ table, at, id = 'id', which = sql`true` }: DueTable) {
  const find = prepared(
    (bind: Bind<DueSearch>, _queries, search: DueSearch) => sql<DueRow>`
        select ${sql.ref(id)} as "id", merchant_id as "merchantId", ${sql.ref(at)} as "at"
        from ${sql.table(table)} where ${which} and ${isDue(bind, search, { at, id })}
        order by ${sql.ref(at)}, ${sql.ref(id)} limit ${atMost(bind('limit'))}`,
    describeDueShape,
  )
  return (queries: Queries, scope: DueScope, limit: number): Promise<readonly DueRow[]> =>
    find(queries, { ...scope, limit })
}

/**
 * Finds expired pages without a payment, oldest first. While a payer answers elsewhere, the time
 * limit of the answer applies.
 */
export const findExpiredPages = createFinder({
  table: 'transactions',
  at: 'expires_at',
  which: sql`status = 'pending' and expires_at is not null and answer_by is null`,
})

/** Finds payments whose payers have not answered elsewhere in time, oldest first. */
export const findUnanswered = createFinder({
  table: 'transactions',
  at: 'answer_by',
  which: sql`status = 'pending'`,
})

/** Subscriptions whose next charge is due, the first first. */
export const findDueCharges = createFinder({
  table: 'subscriptions',
  at: 'next_at',
  which: sql`status = 'active'`,
})

/** Captures that the bank has answered by a moment, the first first. */
export const findAnsweredCaptures = createFinder({
  table: 'pending_captures',
  at: 'answer_at',
  id: 'transaction_id',
})

/** Authentications that are open when their time is over, the first first. */
export const findDueAuthentications = createFinder({
  table: 'authentications',
  at: 'expires_at',
  which: sql`status = 'open'`,
})
