import { randomUUID } from 'node:crypto'
import type { Change, Changes } from '../domain/changes.ts'
import type { Channel } from '../storage/channel.ts'

/** Milliseconds of which all changes are told to other gateways together. */
const GATHER_MS = 250

/**
 * Changes of one telling: of more their ids are left out, and of too many merchants who they are.
 */
const MOST_CHANGES = 40

/** Message of a gateway to the others on its database. */
interface ChangesMessage {
  readonly from: string
  readonly changes: readonly Change[]
}

/**
 * Changes that all gateways on one database tell each other: who looks on at one sees what another
 * does, a quarter of a second later. One listens only while somebody looks on.
 * @param own what this gateway tells itself
 */
export function relayChanges(own: Changes, { tell, listen }: Channel): Changes & { close(): void } {
  const me = randomUUID()
  let untold: Change[] = []
  let timer: NodeJS.Timeout | undefined
  let listeners = 0
  let deafen = () => {}

  function tellAll() {
    const said: ChangesMessage = { from: me, changes: condenseChanges(untold) }
    untold = []
    timer = undefined
    // While the database is away, nobody looks on at another gateway either.
    tell(JSON.stringify(said)).catch(() => {})
  }

  function hear(text: string) {
    const said = JSON.parse(text) as ChangesMessage
    if (said.from !== me) for (const change of said.changes) own.publish(change)
  }

  return {
    publish(change) {
      own.publish(change)
      untold.push(change)
      timer ??= setTimeout(tellAll, GATHER_MS).unref()
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
      clearTimeout(timer)
      deafen()
    },
  }
}

/** The same in fewer words: a text of PostgreSQL's has at most 8,000 bytes. */
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
