import { allClocks, COMMON, releaseClocks } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'

/**
 * `real` follows the machine, `offset` runs at the same speed with a difference, `frozen` does not
 * run.
 */
export type ClockMode = 'real' | 'frozen' | 'offset'

/** This gateway's copy of the clocks, by merchant id. */
export interface KnownClocks {
  readonly database: Database
  /** Epoch milliseconds of the machine. */
  readonly machine: () => number
  rows: ReadonlyMap<number, ClockRow>
  /**
   * Clocks that this gateway is moving: whether each was running, and its last two `moving_until`,
   * one of which is stored.
   */
  readonly acquired: Map<
    number,
    { readonly runs: boolean; readonly left: () => void; untils: readonly number[] }
  >
  /**
   * Clocks that were released while the database was unavailable, each with its last
   * `moving_until`.
   */
  readonly unreleased: Map<number, readonly number[]>
  /** Incremented by every change, so that data read before a change is discarded. */
  version: number
}

/** Stores the new state of a clock. @param row undefined: it was deleted */
export function setKnownClock(clocks: KnownClocks, id: number, row: ClockRow | undefined): void {
  const rows = new Map(clocks.rows)
  if (row) rows.set(id, row)
  else rows.delete(id)
  clocks.rows = rows
  clocks.version += 1
}

/** Returns the clock of a merchant, or the common one. */
export const rowOf = ({ rows }: KnownClocks, merchantId = COMMON) =>
  rows.get(merchantId) ?? rows.get(COMMON)

export const isLater = ({ machine }: KnownClocks, moment: number | null): boolean =>
  (moment ?? 0) > machine()

/** Reads the changes that other gateways made. */
export async function reloadClocks(clocks: KnownClocks): Promise<void> {
  const { database, acquired, version } = clocks
  const rows = await releaseAbandoned(clocks, await allClocks(database.db))
  if (clocks.version !== version) return
  const theirs = rows
    .filter((row) => !acquired.has(row.merchant_id))
    .map((row) => [row.merchant_id, row] as const)
  clocks.rows = new Map([...theirs, ...[...clocks.rows].filter(([id]) => acquired.has(id))])
}

/** Releases clocks of crashed gateways, and clocks that this gateway could not release before. */
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
