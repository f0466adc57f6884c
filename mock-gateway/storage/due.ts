import { type RawBuilder, sql } from 'kysely'
import { type Bind, bindEach, prepared } from './prepared.ts'
import type { Tables } from './tables/schema.ts'

/** Kind of due work; part of the published types, which import no package. */
export type DueKind = 'expiry' | 'authentication' | 'answer' | 'capture' | 'charge' | 'webhook'

/** Piece of work that is due at a time. */
export interface DueItem {
  readonly kind: DueKind
  /** Epoch milliseconds on its merchant's clock. */
  readonly at: number
  readonly merchantId: number
  /** Unique among the items of its kind. */
  readonly id: number
}

/** A choice of due items: their time and their merchant. */
export interface DueScope {
  /** Epoch milliseconds: work is due at this moment or before. */
  readonly until: number
  /** A merchant; undefined: all merchants. */
  readonly merchantId?: number | undefined
  /** Merchants to leave out, because they have their own clocks. */
  readonly except?: readonly number[] | undefined
}

interface DueSearch extends DueScope {
  /** Items to leave out, because they have just failed. */
  readonly without: readonly Pick<DueItem, 'kind' | 'id'>[]
  /** Kinds to search, at least one. */
  readonly kinds: readonly DueKind[]
  /** Epoch milliseconds of the machine: a delivery with a later lease is being sent. */
  readonly machineNow: number
}

/** Rows of a table, `d`, that fall due. */
interface DueRows {
  readonly table: keyof Tables
  /** The column of the moment. */
  readonly at: string
  /** The column of the id under which it is due. Default: id. */
  readonly id?: string
  /** Condition for rows that can fall due. */
  which(bind: Bind<Pick<DueSearch, 'machineNow'>>): RawBuilder<unknown>
}

/** The condition that no gateway is sending the delivery `d`. */
export const isFree = (bind: Bind<Pick<DueSearch, 'machineNow'>>) =>
  sql`(d.lease_until is null or d.lease_until <= ${bind('machineNow')})`

/**
 * The condition that no earlier event of the transaction of the delivery `d` waits for its first
 * attempt: first attempts follow the order of events. Retries do not delay other deliveries. It
 * compares a value instead of using `not exists`, which PostgreSQL turns into a join that reads
 * every pair before it knows the number of pending deliveries.
 */
export const IS_FIRST = sql`(
  select earlier.id from webhook_deliveries as earlier
  where earlier.transaction_id = d.transaction_id and earlier.id < d.id
    and earlier.status = 'pending' and earlier.attempts = 0
    and earlier.event_id <> d.event_id and earlier.type = d.type
    and earlier.due_at <= d.due_at
  limit 1) is null`

/** Every kind of due work, in the order in which they run at one moment. */
const KINDS: Readonly<Record<DueKind, DueRows>> = {
  /**
   * Pages that expire without a payment. While a payer answers elsewhere, the time limit of the
   * answer applies.
   */
  expiry: {
    table: 'transactions',
    at: 'expires_at',
    which: () => sql`status = 'pending' and expires_at is not null and answer_by is null`,
  },
  /** Authentications whose payers did not return from the bank. */
  authentication: {
    table: 'authentications',
    at: 'expires_at',
    which: () => sql`status = 'open'`,
  },
  /** Payments whose payers have not answered elsewhere in time. */
  answer: { table: 'transactions', at: 'answer_by', which: () => sql`status = 'pending'` },
  /** Captures that the bank answers. */
  capture: {
    table: 'pending_captures',
    at: 'answer_at',
    id: 'transaction_id',
    which: () => sql`true`,
  },
  /** Charges of subscriptions. */
  charge: { table: 'subscriptions', at: 'next_at', which: () => sql`status = 'active'` },
  webhook: {
    table: 'webhook_deliveries',
    at: 'due_at',
    which: (bind) => sql`status = 'pending' and ${isFree(bind)} and ${IS_FIRST}`,
  },
}

export const DUE_KINDS = Object.keys(KINDS) as readonly DueKind[]

/** Finds the first due item of each kind, ordered by moment and kind. */
export const findDue = prepared(
  (bind: Bind<DueSearch>, _queries, search: DueSearch) => {
    const firsts = search.kinds.map((kind) => selectFirst(bind, search, kind))
    return sql<DueItem>`select kind, "at", "merchantId", id
      from (${sql.join(firsts, sql` union all `)}) as firsts order by "at", place`
  },
  ({ merchantId, except = [], without, kinds }) =>
    `${merchantId === undefined} ${except.length} ${kinds} ${without.map(({ kind }) => kind)}`,
)

function selectFirst(bind: Bind<DueSearch>, search: DueSearch, kind: DueKind) {
  const { table, at, id: idColumn = 'id', which } = KINDS[kind]
  const [time, id] = [sql.ref(`d.${at}`), sql.ref(`d.${idColumn}`)]
  const listIds = ({ without }: DueSearch) =>
    without.filter((each) => each.kind === kind).map((each) => each.id)
  const exclude = (
    column: RawBuilder<unknown>,
    read: (of: DueSearch) => readonly number[] | undefined,
  ) => {
    const list = bindEach(bind, read(search) ?? [], (each) => read(each) ?? [])
    return list.length === 0 ? [] : [sql`${column} not in (${sql.join(list)})`]
  }
  const conditions = [
    which(bind),
    sql`${time} <= ${bind('until')}`,
    ...(search.merchantId === undefined ? [] : [sql`d.merchant_id = ${bind('merchantId')}`]),
    ...exclude(sql.ref('d.merchant_id'), ({ except }) => except),
    ...exclude(id, listIds),
  ]
  return sql`select * from (
    select ${sql.lit(kind)} as kind, ${sql.lit(DUE_KINDS.indexOf(kind))} as place, ${time} as "at",
      d.merchant_id as "merchantId", ${id} as id
    from ${sql.table(table)} as d where ${sql.join(conditions, sql` and `)}
    order by ${time}, ${id} limit 1) as ${sql.ref(kind)}`
}

/**
 * A limit for cached statements. If a limit is only a parameter, SQLite prepares the statement
 * again for each value, which takes ten times as long as finding that nothing is due. A constant
 * limit is part of the statement instead: `sql.lit`.
 */
export const atMost = (limit: number | RawBuilder<number>): RawBuilder<number> =>
  sql<number>`cast(${limit} as bigint)`
