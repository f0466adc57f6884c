import { PostgresDialect } from 'kysely'
import pg from 'pg'
import { SCHEMA } from './migrate.ts'

const INT8 = 20

/**
 * Kysely's PostgreSQL dialect. 64-bit integers are read as numbers: ids, hundredths and milliseconds stay below 2^53.
 * Tables are looked for in the gateway's own schema only, whatever else the database holds.
 * @param url postgres:// address, as in MONDIDO_DATABASE_URL
 */
export function postgresDialect(url: string): PostgresDialect {
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8 ? Number : pg.types.getTypeParser(oid, format as 'text'),
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    types: types as typeof pg.types,
    onConnect: async (client) => void (await client.query(`set search_path to ${SCHEMA}`)),
  })
  // A connection that breaks is dropped by the pool, and the next query opens another; who was using it has an error.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return new PostgresDialect({ pool })
}
