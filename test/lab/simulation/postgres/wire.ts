import timers from 'node:timers'
import { drawWait } from '../faults/rates.ts'
import type { Row, WireParts } from '../runs/data.ts'
import type { Owner } from '../runs/scheduler.ts'

/** Transport times of a message in milliseconds of simulated time, with their weights. */
const WAITS = { 3: 80, 40: 18, 1500: 2 }

/** Real timers, before the run replaces them. */
const real = { ...timers }

/** Milliseconds of real time until the run asks a silent server why it waits. */
const PATIENCE_MS = 3

/**
 * Milliseconds of simulated time after which a wait for a lock ends. The run ends it, because the
 * server uses real time.
 */
const LOCK_MS = 5_000

/**
 * Both directions of a connection between a gateway and the server. Each direction keeps the order
 * of its messages.
 */
export interface Line {
  processId: number | undefined
  readonly isAsked: boolean
  /** Records that the server got a request, so that simulated time waits for its answer. */
  asked(): void
  answered(): void
  /** Makes a call later, in the direction of the server. */
  out(call: () => void): void
  /** Makes a call later, in the direction of the gateway. */
  back(call: () => void): void
}

export type Wire = ReturnType<typeof createWire>

/**
 * Creates the wire.
 * @param ask queries the server synchronously
 */
export function createWire(
  { scheduler, chance, rates, onFault }: WireParts,
  ask: (statement: string) => readonly Row[],
) {
  const open = new Map<Line, number>()
  let hear = () => {}

  /** Creates one direction of a connection, in which messages arrive in the order of sending. */
  function newWay(owner: Owner) {
    let last = 0
    return (call: () => void) => {
      const wait = chance.happens(rates().queryWaits) ? drawWait(chance, WAITS) : 0
      last = Math.max(last, scheduler.now() + wait)
      scheduler.after(last - scheduler.now(), call, owner)
    }
  }

  function newLine(owner: Owner): Line {
    const line: Line = {
      processId: undefined,
      get isAsked() {
        return open.has(line)
      },
      asked: () => void open.set(line, scheduler.now()),
      answered() {
        if (open.delete(line)) hear()
      },
      out: newWay(owner),
      back: newWay(owner),
    }
    return line
  }

  /**
   * Decides whether a message and its connection are lost, before the server has it or with its
   * answer.
   */
  function drawCut(sql: string): 'before' | 'after' | undefined {
    const { queryFails, commitLost } = rates()
    const after = sql === 'commit' ? commitLost : queryFails
    const cut = chance.happens(queryFails) ? 'before' : chance.happens(after) ? 'after' : undefined
    if (cut) onFault(`connection is reset, ${cut} it was done: ${sql}`)
    return cut
  }

  /** Draws whether the server refuses a connection because none is free. */
  function drawRefusal(): boolean {
    const isRefused = chance.happens(rates().databaseBusy)
    if (isRefused) onFault('connection is refused')
    return isRefused
  }

  const heard = () =>
    new Promise<boolean>((resolve) => {
      hear = () => resolve(true)
      real.setTimeout(() => resolve(false), PATIENCE_MS)
    })

  /**
   * Returns true if every pending query waits for a lock, and so for another client of this run.
   */
  function isLocked(): boolean {
    const waiting = new Set(ask('select pid from pg_locks where not granted').map(({ pid }) => pid))
    for (const [{ processId }, since] of open) {
      if (processId === undefined || !waiting.has(processId)) return false
      if (since + LOCK_MS > scheduler.now()) continue
      ask(`select pg_cancel_backend(${processId})`)
      return false
    }
    return true
  }

  return {
    newLine,
    drawCut,
    drawRefusal,
    note: (sql: string) => scheduler.note(sql),
    /**
     * Resolves when the server has sent all answers that it can send now: then simulated time
     * continues.
     */
    async rest() {
      while (open.size > 0) {
        if (!(await heard()) && isLocked()) return
        // Lets the process read everything else that has arrived.
        await new Promise<void>((resolve) => void real.setImmediate(resolve))
      }
    },
  }
}
