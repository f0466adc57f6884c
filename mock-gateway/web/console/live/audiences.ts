import type { ServerResponse } from 'node:http'
import type { Change, Changes } from '../../../domain/changes.ts'

/** Somebody who looks on. */
interface LiveSubscriber {
  readonly response: ServerResponse
  /** What the session is known by. */
  readonly session: string
  /** Whether the session that the stream was opened in goes on. */
  isLoggedIn(): Promise<boolean>
}

/** Everybody who looks on at the console, by whose changes they hear of. */
export interface Audiences {
  /** @returns false when there are too many already */
  join(whose: number | 'all', viewer: LiveSubscriber): boolean
  /** Ends the streams of a session that has just ended. */
  leave(session: string): void
  /** Ends every stream. */
  close(): void
}

/** Milliseconds of an audience. */
export interface Rhythm {
  /** Changes of so long are told together. */
  readonly gather: number
  /**
   * So often a stream says that it is there: proxies cut silent ones, and who has gone is found.
   */
  readonly heartbeat: number
  /** A session is looked for again when this has passed. */
  readonly trust: number
}

export const RHYTHM: Rhythm = { gather: 250, heartbeat: 15_000, trust: 2_000 }

/**
 * Streams of one merchant at a time, so that nobody takes the places of others; one more is told
 * not to come again.
 */
const MAX_VIEWERS_OF_MERCHANT = 50

/** Streams of all merchants at a time. */
const MAX_VIEWERS = 2_000

/** Names in one message; of more only the topics are told. */
const MOST_NAMES = 50

/**
 * Milliseconds between two reads of a page: each further stream of a merchant lets its others wait
 * longer.
 */
const PACE_OF_EACH = 800
const LEAST_PACE = 1_000

/** What one message says: the shape is described in docs/reference/console.md. */
export interface Message {
  /** Such as `transactions/17`; without an id where there were too many. */
  readonly changed: readonly string[]
  /** Milliseconds that a page waits at least between two readings of itself. */
  readonly pace: number
}

/**
 * Gathers changes and tells them to who looks on: a message is made once for all of an audience.
 * Whoever does not read is let go, never waited for, and comes again by itself: nothing but a
 * handful of names is held for anybody.
 */
export function createAudiences(changes: Changes, rhythm: Rhythm = RHYTHM): Audiences {
  const audiences = new Map<number | 'all', SubscriberGroup>()
  const seats = new Set<Subscription>()
  let heart: NodeJS.Timeout | undefined

  function openAudience(whose: number | 'all'): SubscriberGroup {
    const audience: SubscriberGroup = {
      seats: new Set(),
      changed: new Set(),
      timer: undefined,
      end: () => {},
    }
    const end = changes.subscribe(whose, (change) => {
      if (change.topic === 'sessions') {
        for (const seat of audience.seats) endOrGoOn(seat)
        return
      }
      note(audience.changed, change)
      audience.timer ??= setTimeout(() => tell(audience), rhythm.gather)
    })
    audience.end = () => {
      end()
      clearTimeout(audience.timer)
      audiences.delete(whose)
    }
    audiences.set(whose, audience)
    return audience
  }

  function tell(audience: SubscriberGroup): void {
    audience.timer = undefined
    const message: Message = {
      changed: [...audience.changed],
      pace: Math.max(LEAST_PACE, audience.seats.size * PACE_OF_EACH),
    }
    audience.changed.clear()
    const text = `data: ${JSON.stringify(message)}\n\n`
    for (const seat of audience.seats) send(seat, text)
  }

  /** Ends a stream whose session has ended. @param text what is written to one that goes on */
  function endOrGoOn(seat: Subscription, text = ''): void {
    const { response } = seat.viewer
    const now = performance.now()
    seat.viewer.isLoggedIn().then(
      (isLoggedIn) => {
        seat.seenAt = now
        if (!isLoggedIn) response.end()
        else if (!response.writableEnded && text !== '') response.write(text)
      },
      () => response.end(),
    )
  }

  /** Nothing is told to whom a session is not known to go on. */
  function send(seat: Subscription, text: string): void {
    const { response } = seat.viewer
    if (response.writableEnded) return
    if (response.writableNeedDrain) return void response.destroy()
    if (performance.now() - seat.seenAt < rhythm.trust) response.write(text)
    else endOrGoOn(seat, text)
  }

  return {
    join(whose, viewer) {
      if (
        seats.size >= MAX_VIEWERS ||
        (audiences.get(whose)?.seats.size ?? 0) >= MAX_VIEWERS_OF_MERCHANT
      )
        return false
      const audience = audiences.get(whose) ?? openAudience(whose)
      const seat: Subscription = { viewer, seenAt: performance.now() }
      audience.seats.add(seat)
      seats.add(seat)
      heart ??= setInterval(() => {
        for (const each of seats) send(each, ':\n\n')
      }, rhythm.heartbeat).unref()
      viewer.response.once('close', () => {
        audience.seats.delete(seat)
        seats.delete(seat)
        if (audience.seats.size === 0) audience.end()
        if (seats.size > 0) return
        clearInterval(heart)
        heart = undefined
      })
      return true
    },
    leave(session) {
      for (const { viewer } of seats) if (viewer.session === session) viewer.response.end()
    },
    close() {
      for (const { viewer } of seats) viewer.response.end()
    },
  }
}

/** Somebody's place in an audience. */
interface Subscription {
  readonly viewer: LiveSubscriber
  /** Milliseconds of the monotonic clock at which the session was known to go on. */
  seenAt: number
}

/** All who hear of the same. */
interface SubscriberGroup {
  readonly seats: Set<Subscription>
  /** Names that are to be told. */
  readonly changed: Set<string>
  timer: NodeJS.Timeout | undefined
  end(): void
}

function note(changed: Set<string>, { topic, id }: Change): void {
  if (changed.has(topic)) return
  changed.add(id === undefined ? topic : `${topic}/${id}`)
  if (changed.size <= MOST_NAMES) return
  const topics = new Set([...changed].map((name) => name.replace(/\/.*/, '')))
  changed.clear()
  for (const name of topics) changed.add(name)
}
