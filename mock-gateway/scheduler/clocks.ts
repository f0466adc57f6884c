import type { Ambient } from '../domain/ambient.ts'
import { COMMON } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'
import { type ClockMode, isLater, type KnownClocks, reloadClocks, rowOf } from './known-clocks.ts'
import { acquireClock, releaseClock, setClock } from './move-clock.ts'

/**
 * Every merchant's time. Without a clock of its own a merchant has the common one, and that is the
 * machine's until somebody moves it. The database keeps them, so that a restart changes none; they
 * are read from memory, which costs nothing, so two gateways that share the data may disagree on a
 * clock for a second.
 */
export interface Clocks {
  /**
   * Epoch milliseconds UTC. @param merchantId undefined: of those who have no clock of their own
   */
  now(merchantId?: number): number
  /** One moment, as every clock shows it. */
  moment(): (merchantId?: number) => number
  /** Epoch milliseconds of the machine. */
  machine(): number
  /** Merchants with clocks of their own. */
  owners(): readonly number[]
  has(merchantId: number): boolean
  modeOf(merchantId?: number): ClockMode
  /** Whether some gateway is moving it now. */
  isMoving(merchantId?: number): boolean
  /**
   * Until when, by the machine, another gateway has it, unless that says so again; undefined when
   * none has.
   */
  movedElsewhereUntil(merchantId?: number): number | undefined
  /**
   * Takes a clock to move it; a merchant gets one of its own. @returns false when it is being moved
   * already
   */
  acquire(merchantId?: number): Promise<boolean>
  /** Puts a clock that was taken to a moment. @throws the database's own error */
  setTo(at: number, merchantId?: number): Promise<void>
  /**
   * Lets a clock that was taken go, as it is to be from now on. `real` gives it back to the common
   * one or the machine.
   */
  release(mode: ClockMode, at: number, merchantId?: number): Promise<void>
  /** Learns what other gateways have done. */
  reload(): Promise<void>
}

/** Learns the clocks that are kept. */
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
  const untilOf = (id: number) => clocks.rows.get(id)?.moving_until ?? 0
  return {
    now: (merchantId) => timeOf(rowOf(clocks, merchantId), machine()),
    moment: () => momentOf(clocks),
    machine,
    owners: () => [...clocks.rows.keys()].filter((id) => id !== COMMON),
    has: (merchantId) => clocks.rows.has(merchantId),
    modeOf(merchantId) {
      const row = rowOf(clocks, merchantId)
      if (!row) return 'real'
      return row.frozen_at === null ? 'offset' : 'frozen'
    },
    isMoving: (id = COMMON) => acquired.has(id) || isLater(clocks, untilOf(id)),
    movedElsewhereUntil: (id = COMMON) =>
      acquired.has(id) || !isLater(clocks, untilOf(id)) ? undefined : untilOf(id),
    acquire: (id = COMMON) => acquireClock(clocks, id),
    setTo: (at, id = COMMON) => setClock(clocks, at, id),
    release: (mode, at, id = COMMON) => releaseClock(clocks, mode, at, id),
    reload: () => reloadClocks(clocks),
  }
}

/** What a clock shows at a moment of the machine. */
const timeOf = (row: ClockRow | undefined, moment: number) =>
  row ? (row.frozen_at ?? moment + row.ahead) : moment

function momentOf(clocks: KnownClocks) {
  const started = clocks.machine()
  const read = new Map<number | undefined, number>()
  return (merchantId?: number) => {
    const at = read.get(merchantId) ?? timeOf(rowOf(clocks, merchantId), started)
    read.set(merchantId, at)
    return at
  }
}
