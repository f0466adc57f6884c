/** Calls to one host at a time, so that a slow shop does not keep those of others waiting. */
const PER_HOST = 4

/**
 * Deliveries of one host that are taken while it answers quickly: the next are at hand when a call ends, and what came of
 * many is kept by one commit. More are looked for when half of them are done, so that one search finds many.
 */
const AHEAD = 64

/** Milliseconds of a call of a host that answers quickly. */
const QUICK_MS = 250

/** Milliseconds that a delivery which was taken waits for its turn. */
export const WAIT_MS = 10_000

/** Who may be called: a few calls to each host at once. */
export interface Turns {
  /** How many deliveries more of a host may be taken; mails have none. */
  room(host: string): number
  /** Notes whom a delivery is for that was found due. */
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
  isQuick: boolean
  readonly waiting: Set<(isTurn: boolean) => void>
}

const NEW = { taken: 0, isQuick: false } as const

export function createTurns(): Turns {
  const hosts = new Map<string, Host>()
  const hostOf = new Map<number, string>()
  let isClosed = false

  function known(name: string): Host {
    const host = hosts.get(name) ?? { taken: 0, calling: 0, isQuick: false, waiting: new Set() }
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

  return {
    room(name) {
      if (name === '') return Number.POSITIVE_INFINITY
      const { taken, isQuick } = hosts.get(name) ?? NEW
      if (!isQuick) return PER_HOST - taken
      return taken > AHEAD / 2 ? 0 : AHEAD - taken
    },
    found(id, name) {
      if (name !== '') hostOf.set(id, name)
    },
    begun(id) {
      const name = hostOf.get(id)
      if (name !== undefined) known(name).taken += 1
    },
    done(id) {
      const name = hostOf.get(id)
      const host = name === undefined ? undefined : hosts.get(name)
      hostOf.delete(id)
      if (name !== undefined && host && --host.taken === 0) hosts.delete(name)
    },
    async take(name, call) {
      if (name === '') return call()
      const host = known(name)
      if (!(await turn(host))) return undefined
      const started = performance.now()
      try {
        return await call()
      } finally {
        host.isQuick = performance.now() - started < QUICK_MS
        passOn(host)
      }
    },
    close() {
      isClosed = true
      for (const host of hosts.values()) for (const end of host.waiting) end(false)
    },
  }
}
