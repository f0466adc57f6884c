import type { ServerResponse } from 'node:http'
import type { Change, Changes } from '../../../domain/changes.ts'
import { performance, timers } from '../../../domain/timers.ts'

/** A subscriber of live updates. */
interface LiveSubscriber {
  readonly response: ServerResponse
  /** Identifies the session. */
  readonly session: string
  /** Returns true while the session of the stream is logged in. */
  isLoggedIn(): Promise<boolean>
}

/** All subscribers of live updates, grouped by merchant. */
export interface Audiences {
  /** @returns false if there are too many */
  join(whose: number | 'all', viewer: LiveSubscriber): boolean
  /** Ends the streams of a session that was logged out. */
  leave(session: string): void
  /** Ends every stream. */
  close(): void
}

/** Intervals in milliseconds. */
export interface Rhythm {
  /** Changes within this time are sent together. */
  readonly gather: number
  /** Interval of heartbeats: proxies cut silent streams, and lost clients are detected. */
  readonly heartbeat: number
  /** Interval of checks of the session. */
  readonly trust: number
}

export const RHYTHM: Rhythm = { gather: 250, heartbeat: 15_000, trust: 2_000 }

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

/** Content of a message, described in docs/reference/console.md. */
export interface Message {
  /** For example `transactions/17`; without an id if there were too many. */
  readonly changed: readonly string[]
  /** Minimum milliseconds between two reads by a page. */
  readonly pace: number
}

/**
 * Gathers changes and sends them to subscribers: one message is made for all subscribers of an
 * audience. Slow clients are disconnected and reconnect by themselves, so the gateway buffers only
 * a handful of names for each.
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
      audience.timer ??= timers.setTimeout(() => tell(audience), rhythm.gather)
    })
    audience.end = () => {
      end()
      timers.clearTimeout(audience.timer)
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

  /** Ends a stream whose session has ended. @param text written to one that continues */
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

  /** Sends nothing before the session is checked. */
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
      heart ??= timers
        .setInterval(() => {
          for (const each of seats) send(each, ':\n\n')
        }, rhythm.heartbeat)
        .unref()
      viewer.response.once('close', () => {
        audience.seats.delete(seat)
        seats.delete(seat)
        if (audience.seats.size === 0) audience.end()
        if (seats.size > 0) return
        timers.clearInterval(heart)
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

/** A subscriber's place in its group. */
interface Subscription {
  readonly viewer: LiveSubscriber
  /** Time of the last successful check of the session, in milliseconds of the monotonic clock. */
  seenAt: number
}

/** Subscribers of the same changes. */
interface SubscriberGroup {
  readonly seats: Set<Subscription>
  /** Names to send. */
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
