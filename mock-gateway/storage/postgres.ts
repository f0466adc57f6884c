import { Socket } from 'node:net'
import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { timers } from '../domain/timers.ts'
import { SCHEMA } from './migrations/tables.ts'

const INT8 = 20

/**
 * Milliseconds that a connection, a statement and a lock may take. A request waits for a connection
 * and then for a statement, so a database that hangs answers it within 12 seconds.
 */
const CONNECT_MS = 6_000
const STATEMENT_MS = 5_000
const LOCK_MS = 3_000

/**
 * Milliseconds of silence after which a connection is cut, because a frozen server does not apply
 * its own limits.
 */
const SILENCE_MS = STATEMENT_MS + 500

/** Milliseconds that statements have at the end of the gateway. */
const CLOSE_MS = 2_000

/**
 * Runs first on every connection. Tables are searched only in the gateway's own schema, whatever
 * else the database contains. Reading a page out of order costs as much as in order, as on disks
 * that do not rotate; otherwise the server reads a whole table for a total.
 */
const BEGINNING = `set search_path to ${SCHEMA}; set random_page_cost = 1.1;
  set statement_timeout = ${STATEMENT_MS}; set lock_timeout = ${LOCK_MS}`

/**
 * Kysely's PostgreSQL dialect. 64-bit integers are read as numbers: ids, hundredths and
 * milliseconds stay below 2^53.
 * @param url postgres:// address, as in MONDIDO_DATABASE_URL
 */
export function createPostgresDialect(url: string): PostgresDialect {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  }
  const sockets = new Set<Socket>()
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: CONNECT_MS,
    stream: () => openSocket(sockets),
    types: types as typeof pg.types,
    onConnect: async (client) => void (await client.query(BEGINNING)),
  })
  // A connection that breaks is dropped by the pool, and the next query opens another; who was
  // using it has an error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const connect = pool.connect.bind(pool)
  return new PostgresDialect({
    pool: { connect, options: pool.options, end: () => endWithin(pool, sockets) },
  })
}

function openSocket(sockets: Set<Socket>): Socket {
  const socket = new Socket()
  sockets.add(socket)
  socket.once('close', () => sockets.delete(socket))
  return socket.setTimeout(SILENCE_MS, () => destroySocket(socket))
}

const destroySocket = (socket: Socket) =>
  socket.destroy(
    Object.assign(new Error('The database has not answered in time'), { code: 'ETIMEDOUT' }),
  )

/** Ends the pool although its server may hang: what still runs then is cut, and its work fails. */
async function endWithin(pool: pg.Pool, sockets: ReadonlySet<Socket>): Promise<void> {
  const impatient = timers.setTimeout(() => sockets.forEach(destroySocket), CLOSE_MS)
  await pool.end()
  timers.clearTimeout(impatient)
  // A server that hangs does not say good-bye either.
  for (const socket of sockets) socket.unref()
}
