import { sql } from 'kysely'
import { atMost } from './due.ts'
import { compare, findAll, insertRow, updateRows } from './rows.ts'
import type { ClockMoveRow, ClockRow, NewClockMoveRow } from './tables/clocks.ts'
import type { Queries } from './tables/schema.ts'

/** Id of the common clock in place of a merchant's id. */
export const COMMON = 0

export async function putClock(queries: Queries, { merchant_id, ...row }: ClockRow): Promise<void> {
  await queries
    .insertInto('clocks')
    .values({ merchant_id, ...row })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(row))
    .execute()
}

/**
 * Acquires a clock in order to move it. Of two gateways on the same data, one gets it.
 * @param now time of the machine
 * @returns false if another gateway is moving it
 */
export async function takeClock(queries: Queries, row: ClockRow, now: number): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await queries
    .insertInto('clocks')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('merchant_id')
        .doUpdateSet({ moving_until: row.moving_until })
        .where((where) =>
          where.or([
            where('clocks.moving_until', 'is', null),
            where('clocks.moving_until', '<=', now),
          ]),
        ),
    )
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Releases clocks of movers that have died, if they are unchanged since that was detected. */
export async function releaseClocks(queries: Queries, dead: readonly ClockRow[]): Promise<void> {
  for (const { merchant_id, moving_until } of dead)
    await updateRows(queries, 'clocks', { merchant_id, moving_until }, { moving_until: null })
}

const ownedBy = (merchantId: number | undefined, except: readonly number[]) =>
  merchantId === undefined
    ? sql`merchant_id not in (${sql.join([COMMON, ...except])})`
    : sql`merchant_id = ${merchantId}`

/**
 * Returns true if a merchant has data with dates; without a merchant, if any merchant not in
 * `except` has.
 * @param merchantId undefined: all merchants
 */
export async function hasData(
  queries: Queries,
  merchantId: number | undefined,
  except: readonly number[],
): Promise<boolean> {
  const whose = ownedBy(merchantId, except)
  const any = (['transactions', 'customers', 'stored_cards', 'plans'] as const).map(
    (table) => sql`exists (select 1 from ${sql.table(table)} where ${whose})`,
  )
  const { rows } = await sql<{ found: number }>`
    select case when ${sql.join(any, sql` or `)} then 1 else 0 end as found`.execute(queries)
  return rows[0]?.found === 1
}

/** Moments at which a waiting row goes on: they keep their distance from a clock that moves back. */
const WAITING = [
  ['pending_captures', ['answer_at'], sql`true`],
  ['webhook_deliveries', ['due_at'], sql`status = 'pending'`],
  ['authentications', ['answer_at', 'expires_at'], sql`status = 'open'`],
  ['transactions', ['expires_at', 'answer_by'], sql`status = 'pending'`],
] as const

/**
 * Moves what is waiting back with a clock, so that a capture or a retry is not left a month ahead.
 * Charges of subscriptions stay, because they are due on dates.
 * @param merchantId undefined: all merchants that are not in `except`
 * @param by milliseconds
 */
export async function moveWaitingBack(
  queries: Queries,
  merchantId: number | undefined,
  except: readonly number[],
  by: number,
): Promise<void> {
  const whose = ownedBy(merchantId, except)
  for (const [table, columns, which] of WAITING) {
    const moved = columns.map((name) => sql`${sql.ref(name)} = ${sql.ref(name)} - ${by}`)
    await sql`update ${sql.table(table)} set ${sql.join(moved)}
      where ${which} and ${whose}`.execute(queries)
  }
}

/** Number of stored moves of a clock. */
const KEPT_MOVES = 1_000

/** Writes down that a clock was moved, and forgets all its moves but the last. */
export async function insertClockMove(queries: Queries, row: NewClockMoveRow): Promise<void> {
  await insertRow(queries, 'clock_moves', row)
  await queries
    .deleteFrom('clock_moves')
    .where('merchant_id', '=', row.merchant_id)
    .where('id', '<=', ({ selectFrom }) =>
      selectFrom('clock_moves')
        .select('id')
        .where('merchant_id', '=', row.merchant_id)
        .orderBy('id', 'desc')
        .limit(atMost(1))
        .offset(KEPT_MOVES),
    )
    .execute()
}

/**
 * Returns the moves of a merchant's clock and of the common clock that ended at this time or later,
 * newest first.
 */
export const findMovesSince = (
  queries: Queries,
  merchantId: number,
  from: number,
  limit: number,
): Promise<ClockMoveRow[]> => {
  const where = { merchant_id: [COMMON, merchantId], to_at: compare('>=', from) }
  return findAll(queries, 'clock_moves', where, { newestFirst: true, limit })
}
