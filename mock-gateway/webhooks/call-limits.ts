import { ownerOfHost } from '../storage/webhook-deliveries.ts'

/**
 * Calls of a merchant to one host at a time, so that a slow shop does not keep those of others
 * waiting.
 */
const PER_HOST = 4

/**
 * Deliveries of one host that are taken while it answers quickly: the next are at hand when a call
 * ends, and what came of many is kept by one commit. More are looked for when half of them are
 * done, so that one search finds many.
 */
const TAKEN_AHEAD = 64

/** Milliseconds of a call of a host that answers quickly. */
const QUICK_MS = 250

/** Milliseconds that a delivery which was taken waits for its turn. */
const WAIT_MS = 10_000

/** Milliseconds between two looks at who waits for long. */
const CHECK_MS = 500

/** Told once whether its turn has come; or it has waited for too long. */
type OnTurn = (isTurn: boolean) => void

/** Who may be called: a few calls to each host at once. */
export interface CallLimits {
  /** How many deliveries more of a host may be taken; mails have none. */
  room(host: string): number
  /** How many deliveries of its merchant are taken. */
  countTakenOfMerchant(host: string): number
  /** Notes that a delivery for a host is taken. */
  markTaken(host: string): void
  /** Notes that nothing more is done for it. */
  markDone(host: string): void
  /** Stands in line for a call: it is the turn of whoever waits longest. */
  enqueue(host: string, turn: OnTurn): void
  /** Calls, for somebody whose turn it is: when that ends, the next has it. */
  call<T>(host: string, call: () => Promise<T>): Promise<T>
  /** Nobody gets a turn any more. */
  close(): void
}

interface HostCalls {
  taken: number
  calling: number
  /** Milliseconds of the last call. */
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

  /** Those who have stood in line since then, or longer, wait no more. */
  function giveUp(since: number) {
    for (const { line } of hosts.values())
      while (line[0] && line[0].since <= since) line.shift()?.turn(false)
  }
  const impatient = setInterval(() => giveUp(performance.now() - WAIT_MS), CHECK_MS).unref()

  function line(name: string, turn: OnTurn) {
    if (name === '') return turn(true)
    const host = known(name)
    if (isClosed) return turn(false)
    if (host.calling >= PER_HOST) return void host.line.push({ turn, since: performance.now() })
    host.calling += 1
    turn(true)
  }

  /** Counts one that is taken, or done. */
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
      clearInterval(impatient)
      giveUp(Number.POSITIVE_INFINITY)
    },
  }
}
