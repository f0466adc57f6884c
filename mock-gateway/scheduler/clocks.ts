import type { Ambient } from '../domain/ambient.ts'
import { COMMON, putClock, releaseClocks, takeClock } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import { deleteRows, findAll } from '../storage/rows.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'

/**
 * `real` follows the machine, `offset` runs at the same speed with a difference, `frozen` does not
 * run.
 */
export type ClockMode = 'real' | 'frozen' | 'offset'

/**
 * The clock of every merchant. A merchant without a clock of its own uses the common clock, which
 * follows the machine until it is moved. Clocks are stored in the database, so they survive
 * restarts. Reads use memory: two gateways with the same data may disagree about a clock for a
 * second.
 */
export interface Clocks {
  /** Returns epoch milliseconds UTC. @param merchantId default: the common clock */
  now(merchantId?: number): number
  /** Captures one moment, and returns the time of any clock at it. */
  moment(): (merchantId?: number) => number
  /** Returns epoch milliseconds of the machine. */
  machine(): number
  /** Lists the merchants that have their own clock. */
  owners(): readonly number[]
  has(merchantId: number): boolean
  getMode(merchantId?: number): ClockMode
  /** Returns true while a gateway is moving the clock. */
  isMoving(merchantId?: number): boolean
  /**
   * Returns until when, by the machine's clock, another gateway keeps the clock unless it renews
   * its lease; undefined if none does.
   */
  movedElsewhereUntil(merchantId?: number): number | undefined
  /**
   * Acquires a clock to move it; a merchant gets one of its own. @returns false if it is already
   * being moved
   */
  acquire(merchantId?: number): Promise<boolean>
  /** Sets an acquired clock to a moment. @throws the database's own error */
  setTo(at: number, merchantId?: number): Promise<void>
  /**
   * Releases an acquired clock in its final state. `real` returns it to the common clock or the
   * machine.
   */
  release(mode: ClockMode, at: number, merchantId?: number): Promise<void>
  /** Reads the changes that other gateways made. */
  reload(): Promise<void>
}

/** A clock that this gateway is moving. */
interface AcquiredClock {
  /** True if it was running. */
  readonly runs: boolean
  readonly leave: () => void
  /** The last two values of `moving_until` that this gateway wrote; the row has one of them. */
  untils: readonly number[]
}

/**
 * Lease in milliseconds of a gateway that moves a clock. After a crash the clock is free when the
 * lease ends, or immediately if another gateway can tell that the owner is gone.
 */
const MOVING_MS = 45_000

/** Creates the clocks from the stored ones. */
export async function createClocks(database: Database, machine: Ambient['now']): Promise<Clocks> {
  let rows: ReadonlyMap<number, ClockRow> = new Map()
  /** Incremented by every change, so that data read before a change is discarded. */
  let version = 0
  const acquired = new Map<number, AcquiredClock>()
  /** Clocks that were released while the database was unavailable, each with its `untils`. */
  const unreleased = new Map<number, readonly number[]>()

  const getRow = (merchantId = COMMON) => rows.get(merchantId) ?? rows.get(COMMON)
  const getUntil = (id: number) => rows.get(id)?.moving_until ?? 0

  /** Stores the new state of a clock. @param row undefined: it was deleted */
  function setKnown(id: number, row: ClockRow | undefined): void {
    const others = [...rows].filter(([each]) => each !== id)
    rows = new Map(row ? [...others, [id, row]] : others)
    version += 1
  }

  async function reload(): Promise<void> {
    const before = version
    const stored = await releaseAbandoned(await findAll(database.db, 'clocks'))
    if (version !== before) return
    const theirs = stored.filter(({ merchant_id }) => !acquired.has(merchant_id))
    const ours = [...rows].filter(([id]) => acquired.has(id))
    rows = new Map([...theirs.map((row) => [row.merchant_id, row] as const), ...ours])
  }

  /** Releases clocks of crashed gateways, and clocks that this gateway could not release before. */
  async function releaseAbandoned(stored: readonly ClockRow[]): Promise<readonly ClockRow[]> {
    const moving = stored.filter(
      ({ merchant_id, moving_until }) =>
        !acquired.has(merchant_id) && (moving_until ?? 0) > machine(),
    )
    if (moving.length === 0) return stored
    const dead = database.movers.mayLive()
      ? moving.filter(({ merchant_id, moving_until }) =>
          unreleased.get(merchant_id)?.includes(moving_until ?? 0),
        )
      : moving
    if (dead.length === 0) return stored
    await database.write((queries) => releaseClocks(queries, dead))
    for (const { merchant_id } of dead) unreleased.delete(merchant_id)
    return findAll(database.db, 'clocks')
  }

  async function acquire(id = COMMON): Promise<boolean> {
    if (acquired.has(id)) return false
    const now = machine()
    const { frozen_at = null, ahead = 0 } = getRow(id) ?? {}
    const row = { merchant_id: id, frozen_at, ahead, moving_until: now + MOVING_MS }
    const leave = database.movers.join()
    acquired.set(id, { runs: frozen_at === null, leave, untils: [row.moving_until] })
    let isOurs = false
    try {
      isOurs = await database.write((queries) => takeClock(queries, row, now))
      if (isOurs) setKnown(id, row)
      return isOurs
    } finally {
      if (!isOurs) forgetAcquired(id)
    }
  }

  async function setTo(at: number, id = COMMON): Promise<void> {
    const now = machine()
    const row = { merchant_id: id, ahead: at - now, moving_until: now + MOVING_MS }
    setKnown(id, { ...row, frozen_at: at })
    const own = acquired.get(id)
    if (own) own.untils = [...own.untils.slice(-1), row.moving_until]
    // If this gateway is killed now, a clock that was running continues to run. Work of this moment
    // is flushed with it.
    await database.writeUnflushed((queries) =>
      putClock(queries, { ...row, frozen_at: own?.runs ? null : at }),
    )
  }

  async function release(mode: ClockMode, at: number, id = COMMON): Promise<void> {
    const frozen_at = mode === 'frozen' ? at : null
    const row = { merchant_id: id, frozen_at, ahead: at - machine(), moving_until: null }
    try {
      await database.write<unknown>((queries) =>
        mode === 'real'
          ? deleteRows(queries, 'clocks', { merchant_id: id })
          : putClock(queries, row),
      )
      setKnown(id, mode === 'real' ? undefined : row)
    } catch (error) {
      unreleased.set(id, acquired.get(id)?.untils ?? [])
      throw error
    } finally {
      forgetAcquired(id)
    }
  }

  function forgetAcquired(id: number): void {
    acquired.get(id)?.leave()
    acquired.delete(id)
  }

  await reload()
  return {
    now: (merchantId) => calculateTime(getRow(merchantId), machine()),
    moment() {
      const now = machine()
      const read = new Map<number | undefined, number>()
      return (merchantId) => {
        const at = read.get(merchantId) ?? calculateTime(getRow(merchantId), now)
        read.set(merchantId, at)
        return at
      }
    },
    machine,
    owners: () => [...rows.keys()].filter((id) => id !== COMMON),
    has: (merchantId) => rows.has(merchantId),
    getMode(merchantId) {
      const row = getRow(merchantId)
      if (!row) return 'real'
      return row.frozen_at === null ? 'offset' : 'frozen'
    },
    isMoving: (id = COMMON) => acquired.has(id) || getUntil(id) > machine(),
    movedElsewhereUntil: (id = COMMON) =>
      acquired.has(id) || getUntil(id) <= machine() ? undefined : getUntil(id),
    acquire,
    setTo,
    release,
    reload,
  }
}

/** Returns the time of a clock at a moment of the machine. */
const calculateTime = (row: ClockRow | undefined, moment: number) =>
  row ? (row.frozen_at ?? moment + row.ahead) : moment
