import { deleteClock, putClock, takeClock } from '../storage/clocks.ts'
import { type ClockMode, type KnownClocks, note, rowOf } from './known-clocks.ts'

/**
 * Milliseconds for which a gateway that moves a clock need not say so again. One that was killed
 * leaves it after them, and at once where another can tell that it has died.
 */
const MOVING_MS = 45_000

/** See `Clocks`, as for all of these. */
export async function take(clocks: KnownClocks, id: number): Promise<boolean> {
  const { database, taken } = clocks
  if (taken.has(id)) return false
  const moment = clocks.machine()
  const { frozen_at = null, ahead = 0 } = rowOf(clocks, id) ?? {}
  const row = { merchant_id: id, frozen_at, ahead, moving_until: moment + MOVING_MS }
  taken.set(id, {
    runs: frozen_at === null,
    left: database.movers.join(),
    untils: [row.moving_until],
  })
  try {
    const isOurs = await database.write((queries) => takeClock(queries, row, moment))
    if (isOurs) note(clocks, id, row)
    else drop(clocks, id)
    return isOurs
  } catch (error) {
    drop(clocks, id)
    throw error
  }
}

export async function stand(clocks: KnownClocks, at: number, id: number): Promise<void> {
  const { database, taken } = clocks
  const started = clocks.machine()
  const row = { merchant_id: id, ahead: at - started, moving_until: started + MOVING_MS }
  note(clocks, id, { ...row, frozen_at: at })
  const own = taken.get(id)
  if (own) own.untils = [...own.untils.slice(-1), row.moving_until]
  // Should this gateway be killed now, a clock that ran goes on running.
  await database.write((queries) => putClock(queries, { ...row, frozen_at: own?.runs ? null : at }))
}

export async function leave(
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
    note(clocks, id, mode === 'real' ? undefined : row)
  } catch (error) {
    clocks.untold.set(id, clocks.taken.get(id)?.untils ?? [])
    throw error
  } finally {
    drop(clocks, id)
  }
}

function drop({ taken }: KnownClocks, id: number): void {
  taken.get(id)?.left()
  taken.delete(id)
}
