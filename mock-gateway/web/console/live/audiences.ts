import type { ServerResponse } from 'node:http'
import type { Change, Changes } from '../../../domain/changes.ts'
import { performance, timers } from '../../../domain/timers.ts'

interface LiveSubscriber {
  readonly response: ServerResponse
  readonly session: string
  /** Returns true while the session of the stream is logged in. */
  isLoggedIn(): Promise<boolean>
}

export type Audiences = ReturnType<typeof createAudiences>

/** Intervals in milliseconds. */
export const RHYTHM = {
  /** Changes within this time are sent together. */
  gather: 250,
  /** Proxies cut silent streams, and lost clients are detected. */
  heartbeat: 15_000,
  /** Time for which a check of the session is trusted. */
  trust: 2_000,
}

type Rhythm = typeof RHYTHM

/**
 * Maximum streams of one merchant, so that it cannot use up the places of others; further clients
 * are told not to retry.
 */
const MAX_VIEWERS_OF_MERCHANT = 50

/** Maximum streams of all merchants. */
const MAX_VIEWERS = 2_000

/** Maximum names in one message; of more only the topics are sent. */
const MOST_NAMES = 50

/** Milliseconds between two reads of a page, for each stream of the same merchant. */
const PACE_OF_EACH = 800
const LEAST_PACE = 1_000

export interface Message {
  /** For example `transactions/17`; without an id if there were too many. */
  readonly changed: readonly string[]
  /** Minimum milliseconds between two reads by a page. */
  readonly pace: number
}

/**
 * Gathers changes and sends them to subscribers. Slow clients are disconnected and reconnect by
 * themselves, so the gateway buffers only a handful of names for each.
 */
export function createAudiences(changes: Changes, rhythm: Rhythm = RHYTHM) {
  const audiences = new Map<number | 'all', Set<LiveSubscriber>>()
  const listAll = () => [...audiences.values()].flatMap((audience) => [...audience])
  return {
    /** @returns false if there are too many */
    join(whose: number | 'all', viewer: LiveSubscriber): boolean {
      const audience = audiences.get(whose) ?? new Set()
      if (listAll().length >= MAX_VIEWERS || audience.size >= MAX_VIEWERS_OF_MERCHANT) return false
      audiences.set(whose, audience.add(viewer))
      const getPace = () => Math.max(LEAST_PACE, audience.size * PACE_OF_EACH)
      const end = openStream(changes, whose, viewer, rhythm, getPace)
      viewer.response.once('close', () => {
        end()
        audience.delete(viewer)
        if (audience.size === 0) audiences.delete(whose)
      })
      return true
    },
    /** Ends the streams of a session that was logged out. */
    leave(session: string): void {
      for (const viewer of listAll()) if (viewer.session === session) viewer.response.end()
    },
    close(): void {
      for (const { response } of listAll()) response.end()
    },
  }
}

/** Sends the changes of a merchant to a subscriber. @returns a function that stops it */
function openStream(
  changes: Changes,
  whose: number | 'all',
  { response, isLoggedIn }: LiveSubscriber,
  { gather, heartbeat, trust }: Rhythm,
  getPace: () => number,
): () => void {
  const changed = new Set<string>()
  let timer: NodeJS.Timeout | undefined
  /** Time of the last successful check of the session, by the monotonic clock. */
  let checkedAt = performance.now()

  /** Ends the stream if its session has ended. @param text written if the stream continues */
  async function sendChecked(text = ''): Promise<void> {
    const now = performance.now()
    if (!(await isLoggedIn().catch(() => false))) return void response.end()
    checkedAt = now
    if (!response.writableEnded && text !== '') response.write(text)
  }

  /** Sends nothing before the session is checked. */
  function send(text: string): void {
    if (response.writableEnded) return
    if (response.writableNeedDrain) response.destroy()
    else if (performance.now() - checkedAt < trust) response.write(text)
    else void sendChecked(text)
  }

  const end = changes.subscribe(whose, (change) => {
    if (change.topic === 'sessions') return void sendChecked()
    note(changed, change)
    timer ??= timers.setTimeout(() => {
      timer = undefined
      const message: Message = { changed: [...changed], pace: getPace() }
      changed.clear()
      send(`data: ${JSON.stringify(message)}\n\n`)
    }, gather)
  })
  const heart = timers.setInterval(() => send(':\n\n'), heartbeat).unref()
  return () => {
    end()
    timers.clearTimeout(timer)
    timers.clearInterval(heart)
  }
}

function note(changed: Set<string>, { topic, id }: Change): void {
  if (changed.has(topic)) return
  changed.add(id === undefined ? topic : `${topic}/${id}`)
  if (changed.size <= MOST_NAMES) return
  const topics = new Set([...changed].map((name) => name.replace(/\/.*/, '')))
  changed.clear()
  for (const name of topics) changed.add(name)
}
