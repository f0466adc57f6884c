import { COMMON, putClock, releaseClocks, takeClock } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import { deleteRows, findAll } from '../storage/rows.ts'
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
function setKnownClock(clocks: KnownClocks, id: number, row: ClockRow | undefined): void {
  const rows = new Map(clocks.rows)
  if (row) rows.set(id, row)
  else rows.delete(id)
  clocks.rows = rows
  clocks.version += 1
}

/** Returns the clock of a merchant, or the common one. */
export const getClockRow = ({ rows }: KnownClocks, merchantId = COMMON) =>
  rows.get(merchantId) ?? rows.get(COMMON)

export const isLater = ({ machine }: KnownClocks, moment: number | null): boolean =>
  (moment ?? 0) > machine()

/** Reads the changes that other gateways made. */
export async function reloadClocks(clocks: KnownClocks): Promise<void> {
  const { database, acquired, version } = clocks
  const rows = await releaseAbandoned(clocks, await findAll(database.db, 'clocks'))
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
  return findAll(database.db, 'clocks')
}

/**
 * Lease in milliseconds of a gateway that moves a clock. After a crash the clock is free when the
 * lease ends, or immediately if another gateway can tell that the owner is gone.
 */
const MOVING_MS = 45_000

/** Implements `Clocks`, like the functions below. */
export async function acquireClock(clocks: KnownClocks, id: number): Promise<boolean> {
  const { database, acquired } = clocks
  if (acquired.has(id)) return false
  const moment = clocks.machine()
  const { frozen_at = null, ahead = 0 } = getClockRow(clocks, id) ?? {}
  const row = { merchant_id: id, frozen_at, ahead, moving_until: moment + MOVING_MS }
  acquired.set(id, {
    runs: frozen_at === null,
    left: database.movers.join(),
    untils: [row.moving_until],
  })
  try {
    const isOurs = await database.write((queries) => takeClock(queries, row, moment))
    if (isOurs) setKnownClock(clocks, id, row)
    else forgetAcquired(clocks, id)
    return isOurs
  } catch (error) {
    forgetAcquired(clocks, id)
    throw error
  }
}

export async function setClock(clocks: KnownClocks, at: number, id: number): Promise<void> {
  const { database, acquired } = clocks
  const started = clocks.machine()
  const row = { merchant_id: id, ahead: at - started, moving_until: started + MOVING_MS }
  setKnownClock(clocks, id, { ...row, frozen_at: at })
  const own = acquired.get(id)
  if (own) own.untils = [...own.untils.slice(-1), row.moving_until]
  // If this gateway is killed now, a clock that was running continues to run. Work of this moment is
  // flushed with it.
  await database.writeUnflushed((queries) =>
    putClock(queries, { ...row, frozen_at: own?.runs ? null : at }),
  )
}

export async function releaseClock(
  clocks: KnownClocks,
  mode: ClockMode,
  at: number,
  id: number,
): Promise<void> {
  const row = {
    merchant_id: id,
    frozen_at: mode === 'frozen' ? at : null,
    ahead: at - clocks.machine(),
    moving_until: null,
  }
  try {
    await clocks.database.write<unknown>((queries) =>
      mode === 'real' ? deleteRows(queries, 'clocks', { merchant_id: id }) : putClock(queries, row),
    )
    setKnownClock(clocks, id, mode === 'real' ? undefined : row)
  } catch (error) {
    clocks.unreleased.set(id, clocks.acquired.get(id)?.untils ?? [])
    throw error
  } finally {
    forgetAcquired(clocks, id)
  }
}

function forgetAcquired({ acquired }: KnownClocks, id: number): void {
  acquired.get(id)?.left()
  acquired.delete(id)
}
