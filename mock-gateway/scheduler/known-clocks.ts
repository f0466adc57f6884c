import { allClocks, COMMON, releaseClocks } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'

/**
 * `real` is the machine's time, `offset` runs as fast but ahead of it or behind, `frozen` stands.
 */
export type ClockMode = 'real' | 'frozen' | 'offset'

/** What this gateway knows of the clocks, by the ids of merchants. */
export interface KnownClocks {
  readonly database: Database
  /** Epoch milliseconds of the machine. */
  readonly machine: () => number
  rows: ReadonlyMap<number, ClockRow>
  /**
   * Clocks that this gateway moves, whether each ran before, and its last two `moving_until`, of
   * which one is kept.
   */
  readonly acquired: Map<
    number,
    { readonly runs: boolean; readonly left: () => void; untils: readonly number[] }
  >
  /** Clocks that it has let go when the database could not be told: the same of each. */
  readonly unreleased: Map<number, readonly number[]>
  /** Grows with every change, so that what was read before one is not believed after it. */
  version: number
}

/** Notes what has become of a clock. @param row undefined: there is none any more */
export function setKnownClock(clocks: KnownClocks, id: number, row: ClockRow | undefined): void {
  const rows = new Map(clocks.rows)
  if (row) rows.set(id, row)
  else rows.delete(id)
  clocks.rows = rows
  clocks.version += 1
}

/** The clock of a merchant, or the common one. */
export const rowOf = ({ rows }: KnownClocks, merchantId = COMMON) =>
  rows.get(merchantId) ?? rows.get(COMMON)

export const isLater = ({ machine }: KnownClocks, moment: number | null): boolean =>
  (moment ?? 0) > machine()

/** Learns what other gateways have done. */
export async function reloadClocks(clocks: KnownClocks): Promise<void> {
  const { database, acquired, version } = clocks
  const rows = await releaseAbandoned(clocks, await allClocks(database.db))
  if (clocks.version !== version) return
  const theirs = rows
    .filter((row) => !acquired.has(row.merchant_id))
    .map((row) => [row.merchant_id, row] as const)
  clocks.rows = new Map([...theirs, ...[...clocks.rows].filter(([id]) => acquired.has(id))])
}

/**
 * Clocks without what gateways that have died said of them, and what this one could not take back.
 */
async function releaseAbandoned(
  clocks: KnownClocks,
  rows: readonly ClockRow[],
): Promise<readonly ClockRow[]> {
  const { database, acquired, unreleased } = clocks
  const moving = rows.filter(
    (row) => !acquired.has(row.merchant_id) && isLater(clocks, row.moving_until),
  )
  if (moving.length === 0) return rows
  const dead = database.movers.mayLive()
    ? moving.filter(({ merchant_id, moving_until }) =>
        unreleased.get(merchant_id)?.includes(moving_until ?? 0),
      )
    : moving
  if (dead.length === 0) return rows
  await database.write((queries) => releaseClocks(queries, dead))
  for (const { merchant_id } of dead) unreleased.delete(merchant_id)
  return allClocks(database.db)
}
