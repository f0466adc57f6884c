import type { Ambient } from '../domain/ambient.ts'
import { allClocks, COMMON, deleteClock, putClock, releaseClocks, takeClock } from '../storage/clocks.ts'
import type { Database } from '../storage/database.ts'
import type { ClockRow } from '../storage/tables/clocks.ts'

/** `real` is the machine's time, `offset` runs as fast but ahead of it or behind, `frozen` stands. */
export type ClockMode = 'real' | 'frozen' | 'offset'

/**
 * Every merchant's time. Without a clock of its own a merchant has the common one, and that is the machine's until
 * somebody moves it. The database keeps them, so that a restart changes none; they are read from memory, which costs
 * nothing, so two gateways that share the data may disagree on a clock for a second.
 */
export interface Clocks {
  /** Epoch milliseconds UTC. @param merchantId undefined: of those who have no clock of their own */
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
  /** Until when, by the machine, another gateway has it, unless that says so again; undefined when none has. */
  movedElsewhereUntil(merchantId?: number): number | undefined
  /** Takes a clock to move it; a merchant gets one of its own. @returns false when it is being moved already */
  take(merchantId?: number): Promise<boolean>
  /** Puts a clock that was taken to a moment. @throws the database's own error */
  stand(at: number, merchantId?: number): Promise<void>
  /** Lets a clock that was taken go, as it is to be from now on. `real` gives it back to the common one or the machine. */
  leave(mode: ClockMode, at: number, merchantId?: number): Promise<void>
  /** Learns what other gateways have done. */
  reload(): Promise<void>
}

/**
 * Milliseconds for which a gateway that moves a clock need not say so again. One that was killed leaves it after them, and
 * at once where another can tell that it has died.
 */
const MOVING_MS = 45_000

/** Learns the clocks that are kept. */
export async function createClocks(database: Database, machine: Ambient['now']): Promise<Clocks> {
  let known: ReadonlyMap<number, ClockRow> = new Map()
  /** Clocks that this gateway moves, and whether each ran before. */
  const taken = new Map<number, { readonly runs: boolean; readonly left: () => void }>()
  /** Grows with every change, so that what was read before one is not believed after it. */
  let version = 0

  function know(id: number, row: ClockRow | undefined) {
    const rows = new Map(known)
    if (row) rows.set(id, row)
    else rows.delete(id)
    known = rows
    version += 1
  }

  const rowOf = (merchantId = COMMON) => known.get(merchantId) ?? known.get(COMMON)
  const at = (moment: number, merchantId?: number) => {
    const row = rowOf(merchantId)
    return row ? (row.frozen_at ?? moment + row.ahead) : moment
  }
  const now = (merchantId?: number) => at(machine(), merchantId)

  function moment() {
    const started = machine()
    const shown = new Map<number | undefined, number>()
    return (merchantId?: number) => {
      const known = shown.get(merchantId) ?? at(started, merchantId)
      shown.set(merchantId, known)
      return known
    }
  }

  async function reload() {
    const before = version
    const rows = await living(await allClocks(database.db))
    if (version !== before) return
    const ours = [...known].filter(([id]) => taken.has(id))
    known = new Map([
      ...rows.filter((row) => !taken.has(row.merchant_id)).map((row) => [row.merchant_id, row] as const),
      ...ours,
    ])
  }

  /** Clocks without what gateways that have died said of them. */
  async function living(rows: readonly ClockRow[]): Promise<readonly ClockRow[]> {
    const moving = rows.filter((row) => !taken.has(row.merchant_id) && isLater(row.moving_until))
    if (moving.length === 0 || database.movers.mayLive()) return rows
    await database.write((queries) => releaseClocks(queries, moving))
    return allClocks(database.db)
  }

  const isLater = (moment: number | null | undefined) => (moment ?? 0) > machine()

  const drop = (id: number) => {
    taken.get(id)?.left()
    taken.delete(id)
  }

  async function take(id = COMMON) {
    if (taken.has(id)) return false
    const moment = machine()
    const row = rowOf(id)
    const runs = (row?.frozen_at ?? null) === null
    taken.set(id, { runs, left: database.movers.join() })
    const kept = { merchant_id: id, frozen_at: row?.frozen_at ?? null, ahead: row?.ahead ?? 0 }
    try {
      const isOurs = await database.write((queries) =>
        takeClock(queries, { ...kept, moving_until: moment + MOVING_MS }, moment),
      )
      if (isOurs) know(id, { ...kept, moving_until: moment + MOVING_MS })
      else drop(id)
      return isOurs
    } catch (error) {
      drop(id)
      throw error
    }
  }

  async function stand(moment: number, id = COMMON) {
    const started = machine()
    const row = { merchant_id: id, ahead: moment - started, moving_until: started + MOVING_MS }
    know(id, { ...row, frozen_at: moment })
    // Should this gateway be killed now, a clock that ran goes on running.
    await database.write((queries) => putClock(queries, { ...row, frozen_at: taken.get(id)?.runs ? null : moment }))
  }

  async function leave(mode: ClockMode, moment: number, id = COMMON) {
    const row = {
      merchant_id: id,
      frozen_at: mode === 'frozen' ? moment : null,
      ahead: moment - machine(),
      moving_until: null,
    }
    try {
      await database.write((queries) => (mode === 'real' ? deleteClock(queries, id) : putClock(queries, row)))
      know(id, mode === 'real' ? undefined : row)
    } finally {
      drop(id)
    }
  }

  await reload()
  return {
    now,
    moment,
    machine,
    owners: () => [...known.keys()].filter((id) => id !== COMMON),
    has: (merchantId) => known.has(merchantId),
    modeOf(merchantId) {
      const row = rowOf(merchantId)
      if (!row) return 'real'
      return row.frozen_at === null ? 'offset' : 'frozen'
    },
    isMoving: (id = COMMON) => taken.has(id) || isLater(known.get(id)?.moving_until),
    movedElsewhereUntil(id = COMMON) {
      const until = known.get(id)?.moving_until ?? 0
      return taken.has(id) || !isLater(until) ? undefined : until
    },
    take,
    stand,
    leave,
    reload,
  }
}
