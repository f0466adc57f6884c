import { performance, timers } from '../domain/timers.ts'
import { ownerOfHost } from '../storage/webhook-deliveries.ts'

/**
 * Maximum concurrent calls of a merchant to one host, so that a slow shop does not delay the
 * webhooks of others.
 */
const PER_HOST = 4

/**
 * Deliveries leased in advance for a host that answers quickly: the next ones are ready when a call
 * ends, and one commit stores many results. New ones are searched for when half of them are done,
 * so that one search finds many.
 */
const TAKEN_AHEAD = 64

/** Duration of a call to a quick host, in milliseconds. */
const QUICK_MS = 250

/** Milliseconds that a leased delivery waits for its turn. */
const WAIT_MS = 10_000

/** Milliseconds between two checks of the waiting deliveries. */
const CHECK_MS = 500

/** Called once: true if it is the delivery's turn, false if it has waited too long. */
type OnTurn = (isTurn: boolean) => void

/** Limits the concurrent calls to each host. */
export interface CallLimits {
  /** Returns how many more deliveries of a host can be leased; mails are not limited. */
  room(host: string): number
  /** Counts the leased deliveries of the host's merchant. */
  countTakenOfMerchant(host: string): number
  /** Counts a delivery as leased. */
  markTaken(host: string): void
  /** Counts a delivery as done. */
  markDone(host: string): void
  /**
   * Queues a delivery for a call; the longest-waiting one is next.
   * @param isAlone the call waits until no other call to the host is running
   */
  enqueue(host: string, turn: OnTurn, isAlone?: boolean): void
  /** Makes a call for a delivery whose turn it is; when it ends, the next one is called. */
  call<T>(host: string, call: () => Promise<T>): Promise<T>
  /** Ends the queue: no delivery gets a turn any more. */
  close(): void
}

interface HostCalls {
  taken: number
  calling: number
  /** Duration of the last call, in milliseconds. */
  took: number | undefined
  readonly line: { readonly turn: OnTurn; readonly since: number }[]
}

const NEW = { taken: 0, took: undefined } as const

export function createCallLimits(): CallLimits {
  const hosts = new Map<string, HostCalls>()
  const takenOf = new Map<string, number>()
  let isClosed = false

  function known(name: string): HostCalls {
    const host = hosts.get(name) ?? { ...NEW, calling: 0, line: [] }
    hosts.set(name, host)
    return host
  }

  function passOn(host: HostCalls) {
    const next = host.line.shift()
    if (next) next.turn(true)
    else host.calling -= 1
  }

  /** Removes deliveries that have waited since this time or longer. */
  function giveUp(since: number) {
    for (const { line } of hosts.values())
      while (line[0] && line[0].since <= since) line.shift()?.turn(false)
  }
  const impatient = timers.setInterval(() => giveUp(performance.now() - WAIT_MS), CHECK_MS).unref()

  function line(name: string, turn: OnTurn, isAlone = false) {
    if (name === '') return turn(true)
    const host = known(name)
    if (isClosed) return turn(false)
    if (host.calling >= (isAlone ? 1 : PER_HOST))
      return void host.line.push({ turn, since: performance.now() })
    host.calling += 1
    turn(true)
  }

  /** Adds or removes a delivery. */
  function count(name: string, one: 1 | -1) {
    known(name).taken += one
    const owner = ownerOfHost(name)
    const taken = (takenOf.get(owner) ?? 0) + one
    if (taken === 0) takenOf.delete(owner)
    else takenOf.set(owner, taken)
  }

  return {
    countTakenOfMerchant: (name) => takenOf.get(ownerOfHost(name)) ?? 0,
    room(name) {
      if (name === '') return Number.POSITIVE_INFINITY
      const { taken, took = QUICK_MS } = hosts.get(name) ?? NEW
      if (took >= QUICK_MS) return Math.max(PER_HOST - taken, 0)
      return taken > TAKEN_AHEAD / 2 ? 0 : TAKEN_AHEAD - taken
    },
    markTaken: (name) => count(name, 1),
    markDone(name) {
      count(name, -1)
      if (known(name).taken === 0) hosts.delete(name)
    },
    enqueue: line,
    async call(name, call) {
      if (name === '') return call()
      const host = known(name)
      const started = performance.now()
      try {
        return await call()
      } finally {
        host.took = performance.now() - started
        passOn(host)
      }
    },
    close() {
      isClosed = true
      timers.clearInterval(impatient)
      giveUp(Number.POSITIVE_INFINITY)
    },
  }
}
