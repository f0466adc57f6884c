import { deleteClock, putClock, takeClock } from '../storage/clocks.ts'
import { type ClockMode, type KnownClocks, rowOf, setKnownClock } from './known-clocks.ts'

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
  const { frozen_at = null, ahead = 0 } = rowOf(clocks, id) ?? {}
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
    await clocks.database.write((queries) =>
      mode === 'real' ? deleteClock(queries, id) : putClock(queries, row),
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
