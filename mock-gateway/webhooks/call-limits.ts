import { ownerOfHost } from '../storage/webhook-deliveries.ts'

/** Calls of a merchant to one host at a time, so that a slow shop does not keep those of others waiting. */
const PER_HOST = 4

/**
 * Deliveries of one host that are taken while it answers quickly: the next are at hand when a call ends, and what came of
 * many is kept by one commit. More are looked for when half of them are done, so that one search finds many.
 */
const AHEAD = 64

/** Milliseconds of a call of a host that answers quickly. */
const QUICK_MS = 250

/** Deliveries that may be in memory, most of them taken as they were written: at full load shops are told afterwards. */
const AT_HAND = 5_000

/** Milliseconds of a call after which no more of its host are taken than are called: a busy gateway takes a second itself. */
const SLOW_MS = 2_500

/** Milliseconds that a delivery which was taken waits for its turn. */
const WAIT_MS = 10_000

/** Who may be called: a few calls to each host at once. */
export interface CallLimits {
  /** How many deliveries more of a host may be taken; mails have none. */
  room(host: string): number
  /** How many deliveries of its merchant are taken. */
  takenBeside(host: string): number
  /**
   * Whether a delivery that is just being written may be taken. From the first that may not, others wait with it until they
   * are looked for.
   */
  admits(host: string): boolean
  /** Notes that no delivery waits to be found, of this host or of any. */
  caughtUp(host?: string): void
  /** Notes whom a delivery is for that was found due, or is just being written. */
  found(id: number, host: string): void
  /** Notes that it is about to be taken. */
  begun(id: number): void
  /** Notes that nothing more is done for it. */
  done(id: number): void
  /** Calls when it is its turn. @returns undefined when that does not come in time */
  take<T>(host: string, call: () => Promise<T>): Promise<T | undefined>
  /** Nobody gets a turn any more. */
  close(): void
}

interface Host {
  taken: number
  calling: number
  /** Milliseconds of the last call. */
  took: number | undefined
  /** Whether some may wait that nobody has taken: they come before new ones. */
  isBehind: boolean
  readonly waiting: Set<(isTurn: boolean) => void>
}

const NEW = { taken: 0, took: undefined } as const

/** Of a host that nobody has called yet as many as are looked for at once: it may turn out to be slow. */
const mostAtHand = ({ took }: Host) => (took === undefined ? AHEAD : took < SLOW_MS ? AT_HAND : PER_HOST)

export function createCallLimits(): CallLimits {
  const hosts = new Map<string, Host>()
  const hostOf = new Map<number, string>()
  const takenOf = new Map<string, number>()
  let isClosed = false

  function known(name: string): Host {
    const host = hosts.get(name) ?? { ...NEW, calling: 0, isBehind: false, waiting: new Set() }
    hosts.set(name, host)
    return host
  }

  function turn(host: Host): Promise<boolean> {
    if (isClosed) return Promise.resolve(false)
    if (host.calling < PER_HOST) {
      host.calling += 1
      return Promise.resolve(true)
    }
    return new Promise((resolve) => {
      const end = (isTurn: boolean) => {
        clearTimeout(impatient)
        host.waiting.delete(end)
        resolve(isTurn)
      }
      const impatient = setTimeout(() => end(false), WAIT_MS)
      host.waiting.add(end)
    })
  }

  /** Whoever waits longest is next. */
  function passOn(host: Host) {
    const [next] = host.waiting
    if (next) next(true)
    else host.calling -= 1
  }

  /** Counts one of a merchant that is taken, or done. */
  function count(name: string, one: 1 | -1) {
    const owner = ownerOfHost(name)
    const taken = (takenOf.get(owner) ?? 0) + one
    if (taken === 0) takenOf.delete(owner)
    else takenOf.set(owner, taken)
  }

  return {
    takenBeside: (name) => takenOf.get(ownerOfHost(name)) ?? 0,
    room(name) {
      if (name === '') return Number.POSITIVE_INFINITY
      const { taken, took = QUICK_MS } = hosts.get(name) ?? NEW
      if (took >= QUICK_MS) return Math.max(PER_HOST - taken, 0)
      return taken > AHEAD / 2 ? 0 : AHEAD - taken
    },
    admits(name) {
      const host = hosts.get(name)
      const isFull = hostOf.size >= AT_HAND
      if (!host) return !isFull
      host.isBehind ||= isFull || host.taken >= mostAtHand(host)
      return !host.isBehind
    },
    caughtUp(name) {
      for (const host of name === undefined ? hosts.values() : [hosts.get(name)]) if (host) host.isBehind = false
    },
    found(id, name) {
      hostOf.set(id, name)
    },
    begun(id) {
      const name = hostOf.get(id)
      if (name === undefined) return
      known(name).taken += 1
      count(name, 1)
    },
    done(id) {
      const name = hostOf.get(id)
      const host = name === undefined ? undefined : hosts.get(name)
      hostOf.delete(id)
      if (name === undefined || !host) return
      count(name, -1)
      if (--host.taken === 0) hosts.delete(name)
    },
    async take(name, call) {
      if (name === '') return call()
      const host = known(name)
      if (!(await turn(host))) return undefined
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
      for (const host of hosts.values()) for (const end of host.waiting) end(false)
    },
  }
}
