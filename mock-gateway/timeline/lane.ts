import type { Logger } from '../domain/logger.ts'
import type { Queries } from '../storage/tables/schema.ts'
import type { Due, DueKind, DueScope, Outcome } from './due.ts'

/** What came of a due thing; `failed` when it threw, which is logged. */
export type Done = { readonly due: Due } & ({ readonly outcome: Outcome | undefined } | { readonly failed: true })

/** Does what falls due of one kind, each thing once at a time in this process. */
export interface Lane {
  readonly kind: string
  /** The first that are due and not under way. */
  first(scope: DueScope, limit: number): Promise<readonly Due[]>
  /** Does one; never throws. @param wasFound counts it among those that may be under way at once */
  start(due: Due, wasFound?: boolean): Promise<Done>
  /** Starts as many as are due in these scopes and may be under way at once; more when these are done. */
  fill(scopes: () => readonly DueScope[]): Promise<void>
  /** Lets what has failed be tried again at once. */
  forgive(): void
  /** Resolves when nothing is under way, of these merchants. */
  settled(isOf?: (merchantId: number) => boolean): Promise<void>
}

/** Milliseconds of the machine before what failed is tried again. */
const REST_MS = 30_000

/** Milliseconds before what was done and is due at the same moment still is done again: another process may be at it. */
const PAUSE_MS = 900

export function createLane(kind: DueKind, queries: Queries, logger: Logger, ending: AbortSignal): Lane {
  const { atOnce = 1 } = kind
  const underWay = new Map<number, { readonly due: Due; readonly done: Promise<Done> }>()
  /** When it may be done again, by the machine's monotonic clock. */
  const resting = new Map<number, number>()
  let found = 0
  let filling: Promise<void> | undefined
  let again = false

  async function first(scope: DueScope, limit: number) {
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id)
    return kind.first(queries, { ...scope, without: [...underWay.keys(), ...resting.keys()] }, limit)
  }

  function start(due: Due, wasFound = true): Promise<Done> {
    const done = doIt(due, wasFound)
    underWay.set(due.id, { due, done })
    return done
  }

  async function doIt(due: Due, wasFound: boolean): Promise<Done> {
    if (wasFound) found += 1
    // After it has been noted as under way.
    await undefined
    try {
      const outcome = await kind.run(due, ending)
      if (outcome === undefined) resting.set(due.id, performance.now() + PAUSE_MS)
      return { due, outcome }
    } catch (error) {
      resting.set(due.id, performance.now() + REST_MS)
      if (!ending.aborted) logger.error({ kind: kind.kind, due, err: error })
      return { due, failed: true }
    } finally {
      underWay.delete(due.id)
      if (wasFound) found -= 1
    }
  }

  async function fillOnce(scopes: () => readonly DueScope[]) {
    for (const scope of scopes()) {
      const room = atOnce - found
      if (room <= 0 || ending.aborted) return
      for (const due of await first(scope, room))
        void start(due)
          .then(() => fill(scopes))
          .catch(() => {})
    }
  }

  /** One search at a time; whoever asks meanwhile is answered by the next. */
  function fill(scopes: () => readonly DueScope[]): Promise<void> {
    again = true
    filling ??= (async () => {
      try {
        while (again && !ending.aborted) {
          again = false
          await fillOnce(scopes)
        }
      } finally {
        filling = undefined
      }
    })()
    return filling
  }

  return {
    kind: kind.kind,
    first,
    start,
    fill,
    forgive: () => resting.clear(),
    async settled(isOf = () => true) {
      const ours = [...underWay.values()].filter(({ due }) => isOf(due.merchantId))
      await Promise.all(ours.map(({ done }) => done))
    },
  }
}
