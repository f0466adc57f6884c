import { type RawBuilder, sql } from 'kysely'

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
export interface DueColumns {
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
