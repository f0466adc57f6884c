import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../domain/logger.ts'
import type { Database } from '../storage/database.ts'
import type { Clocks } from './clocks.ts'
import type { Due, DueKind, DueScope } from './due.ts'
import { createLane, type Lane } from './lane.ts'

/** Does what falls due, while time runs by itself. */
export interface Runner {
  /** Something has been committed that may be due now. */
  wake(): void
  /** Does what is due of a kind, and known to be: nobody looks for it. */
  begin(kind: string, all: readonly Due[]): void
  readonly lanes: readonly Lane[]
  /** Ends it: nothing more is begun, and what is under way has two seconds. */
  stop(): Promise<void>
}

/** What the runner is made of. */
export interface RunnerParts {
  readonly database: Database
  readonly clocks: Clocks
  /** In the order in which they are done at one moment. */
  readonly kinds: readonly DueKind[]
  readonly logger: Logger
}

/** Milliseconds between two looks when nobody wakes the runner: things fall due by time alone, too. */
const LOOK_MS = 1_000

/** Milliseconds that what is under way has when the gateway closes. */
const STOP_MS = 2_000

/** Looks at once, when it is woken, and once a second; it keeps no process alive. */
export function createRunner({ database, clocks, kinds, logger }: RunnerParts): Runner {
  const ending = new AbortController()
  const { signal } = ending
  const lanes = kinds.map((kind) => createLane(kind, database.db, logger, signal))
  let isUnavailable = false
  let looking: Promise<void> | undefined
  let again = false
  let wakes = 0

  /** Those who share the common clock, and each merchant with one of its own; not those whose clock is being moved. */
  function scopes(): readonly DueScope[] {
    const owners = clocks.owners()
    return [
      ...(clocks.isMoving() ? [] : [{ until: clocks.now(), except: owners }]),
      ...owners.filter((id) => !clocks.isMoving(id)).map((id) => ({ until: clocks.now(id), merchantId: id })),
    ]
  }

  /** One query where nobody has anything to do, however many merchants have clocks of their own. */
  async function fill(lane: Lane) {
    const all = scopes()
    if (all.length > 2) {
      const until = Math.max(...all.map((scope) => scope.until))
      if ((await lane.first({ until }, 1)).length === 0) return
    }
    await lane.fill(scopes)
  }

  async function lookAll() {
    try {
      await Promise.all(lanes.map(fill))
      isUnavailable = false
    } catch (error) {
      // Said once: the next look is in a second.
      if (!isUnavailable && !signal.aborted) logger.error({ err: error })
      isUnavailable = true
    }
  }

  /** One look at a time; whoever asks meanwhile is answered by the next. */
  function look(): Promise<void> {
    again = true
    looking ??= (async () => {
      while (again && !signal.aborted) {
        again = false
        await lookAll()
      }
      looking = undefined
    })()
    return looking
  }

  async function everySecond() {
    for (;;) {
      await look()
      await pause(LOOK_MS, undefined, { ref: false, signal })
      await clocks.reload().catch(() => {})
    }
  }
  const ended = everySecond().catch(() => {})

  return {
    wake() {
      wakes += 1
      if (!signal.aborted) void look()
    },
    begin(kind, all) {
      const lane = lanes.find((each) => each.kind === kind)
      if (!lane || signal.aborted) return
      const before = wakes
      const next = () => {
        // What was written meanwhile may have waited for this.
        if (wakes !== before) return fill(lane)
      }
      for (const due of all)
        void lane
          .start(due, false)
          .then(next)
          .catch(() => {})
    },
    lanes,
    async stop() {
      ending.abort()
      const settled = Promise.all([ended, looking, ...lanes.map((lane) => lane.settled())])
      await Promise.race([settled, pause(STOP_MS, undefined, { ref: false })])
    },
  }
}
