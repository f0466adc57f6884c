import { randomUUID } from 'node:crypto'
import { type Change, type Changes, createChanges } from '../domain/changes.ts'
import { timers } from '../domain/timers.ts'
import type { Channel } from '../storage/channel.ts'
import type { Database } from '../storage/database.ts'
import { createAudiences } from '../web/console/live/audiences.ts'
import type { GatewayOptions } from './options.ts'
import { recordRun } from './run-report.ts'

/** Live updates, and the report of a run. */
export type LiveChanges = ReturnType<typeof createLiveChanges>

/**
 * Creates live updates for pages and the report; gateways on one database relay them to each other.
 */
export function createLiveChanges(
  { channel }: Pick<Database, 'channel'>,
  report: GatewayOptions['report'],
) {
  const relay = channel && relayChanges(createChanges(), channel)
  const own = relay ?? createChanges()
  const run = report && recordRun(report)
  const changes = run ? run.noting(own) : own
  const audiences = createAudiences(changes)
  return {
    changes,
    audiences,
    /** Undefined without a report. */
    run,
    close() {
      audiences.close()
      relay?.close()
    },
  }
}

/** Changes are collected for this many milliseconds before they are sent to other gateways. */
const GATHER_MS = 250

/** Maximum number of changes in one message: beyond it ids are left out, and then merchants. */
const MOST_CHANGES = 40

/** Message of a gateway to the others on its database. */
interface ChangesMessage {
  readonly from: string
  readonly changes: readonly Change[]
}

/**
 * Relays changes between the gateways on one database: pages of one show changes of another a
 * quarter of a second later. A gateway only listens while it has subscribers.
 * @param own changes of this gateway
 */
export function relayChanges(own: Changes, { tell, listen }: Channel): Changes & { close(): void } {
  const me = randomUUID()
  let untold: Change[] = []
  let timer: NodeJS.Timeout | undefined
  let listeners = 0
  let deafen = () => {}

  function tellAll() {
    const message: ChangesMessage = { from: me, changes: condenseChanges(untold) }
    untold = []
    timer = undefined
    // While the database is unavailable, other gateways have no readers either.
    tell(JSON.stringify(message)).catch(() => {})
  }

  function hear(text: string) {
    const message = JSON.parse(text) as ChangesMessage
    if (message.from !== me) for (const change of message.changes) own.publish(change)
  }

  return {
    publish(change) {
      own.publish(change)
      untold.push(change)
      timer ??= timers.setTimeout(tellAll, GATHER_MS).unref()
    },
    subscribe(whose, listener) {
      if (listeners++ === 0) deafen = listen(hear)
      const end = own.subscribe(whose, listener)
      return () => {
        end()
        if (--listeners === 0) deafen()
      }
    },
    close() {
      timers.clearTimeout(timer)
      deafen()
    },
  }
}

/** Shortens a list of changes: a PostgreSQL notification has at most 8,000 bytes. */
export function condenseChanges(changes: readonly Change[]): readonly Change[] {
  const each = unique(changes)
  if (each.length <= MOST_CHANGES) return each
  const topics = unique(each.map(({ merchantId, topic }) => ({ merchantId, topic })))
  if (topics.length <= MOST_CHANGES) return topics
  return unique(topics.map(({ topic }) => ({ merchantId: 'everybody', topic })))
}

const unique = (changes: readonly Change[]): Change[] => [
  ...new Map(
    changes.map(({ merchantId, topic, id }) => [
      `${merchantId} ${topic} ${id}`,
      { merchantId, topic, id },
    ]),
  ).values(),
]
