import type { Ambient } from '../domain/ambient.ts'
import { COMMON } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'
import {
  acquireClock,
  type ClockMode,
  getClockRow,
  isLater,
  type KnownClocks,
  releaseClock,
  reloadClocks,
  setClock,
} from './known-clocks.ts'

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

/** Creates the clocks from the stored ones. */
export async function createClocks(database: Database, machine: Ambient['now']): Promise<Clocks> {
  const clocks: KnownClocks = {
    database,
    machine,
    rows: new Map(),
    acquired: new Map(),
    unreleased: new Map(),
    version: 0,
  }
  await reloadClocks(clocks)
  const { acquired } = clocks
  const getUntil = (id: number) => clocks.rows.get(id)?.moving_until ?? 0
  return {
    now: (merchantId) => calculateTime(getClockRow(clocks, merchantId), machine()),
    moment: () => createMomentReader(clocks),
    machine,
    owners: () => [...clocks.rows.keys()].filter((id) => id !== COMMON),
    has: (merchantId) => clocks.rows.has(merchantId),
    getMode(merchantId) {
      const row = getClockRow(clocks, merchantId)
      if (!row) return 'real'
      return row.frozen_at === null ? 'offset' : 'frozen'
    },
    isMoving: (id = COMMON) => acquired.has(id) || isLater(clocks, getUntil(id)),
    movedElsewhereUntil: (id = COMMON) =>
      acquired.has(id) || !isLater(clocks, getUntil(id)) ? undefined : getUntil(id),
    acquire: (id = COMMON) => acquireClock(clocks, id),
    setTo: (at, id = COMMON) => setClock(clocks, at, id),
    release: (mode, at, id = COMMON) => releaseClock(clocks, mode, at, id),
    reload: () => reloadClocks(clocks),
  }
}

/** Returns the time of a clock at a moment of the machine. */
const calculateTime = (row: ClockRow | undefined, moment: number) =>
  row ? (row.frozen_at ?? moment + row.ahead) : moment

function createMomentReader(clocks: KnownClocks) {
  const started = clocks.machine()
  const times = new Map<number | undefined, number>()
  return (merchantId?: number) => {
    const at = times.get(merchantId) ?? calculateTime(getClockRow(clocks, merchantId), started)
    times.set(merchantId, at)
    return at
  }
}
