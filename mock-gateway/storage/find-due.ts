import { type RawBuilder, sql } from 'kysely'
import { atMost, type DueScope, dueShape, dueValues, isDue } from './due.ts'
import { prepared } from './prepared.ts'
import type { Queries, Tables } from './tables/schema.ts'

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
