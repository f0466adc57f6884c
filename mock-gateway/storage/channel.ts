import { once } from 'node:events'
import { sql } from 'kysely'
import pg from 'pg'
import { timers } from '../domain/timers.ts'
import type { Queries } from './tables/schema.ts'

/**
 * Short messages between gateways on one PostgreSQL. They are not stored: a gateway that does not
 * listen misses them.
 */
export interface Channel {
  /** @param text fewer than 8,000 bytes */
  tell(text: string): Promise<void>
  /**
   * @param onMessage receives the messages of every gateway, including this one
   * @returns a function that stops listening
   */
  listen(onMessage: (text: string) => void): () => void
}

const NAME = 'mondido'

/** Milliseconds before reconnecting after a broken connection. */
const AGAIN_MS = 1_000

/** @param url of the database; each listener has a connection of its own */
export const openChannel = (url: string, db: Queries): Channel => ({
  tell: async (text) => void (await sql`select pg_notify(${NAME}, ${text})`.execute(db)),
  listen(onMessage) {
    const ending = new AbortController()
    void listenUntil(ending.signal, url, onMessage)
    return () => ending.abort()
  },
})

async function listenUntil(
  ending: AbortSignal,
  url: string,
  onMessage: (text: string) => void,
): Promise<void> {
  while (!ending.aborted) {
    const client = new pg.Client({ connectionString: url, keepAlive: true })
    const end = () => void client.end().catch(() => {})
    ending.addEventListener('abort', end, { once: true })
    // A connection that breaks ends, and is made again.
    client.on('error', () => {})
    client.on('notification', ({ payload = '' }) => onMessage(payload))
    try {
      const gone = once(client, 'end')
      await client.connect()
      await client.query(`listen ${NAME}`)
      await gone
    } catch {
      end()
    }
    ending.removeEventListener('abort', end)
    if (!ending.aborted) await new Promise((again) => timers.setTimeout(again, AGAIN_MS).unref())
  }
}
