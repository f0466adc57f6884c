import { randomBytes } from 'node:crypto'
import pg from 'pg'

/** A database that nobody else uses. */
export interface ScratchDatabase {
  /** `postgres://` address of the empty database. */
  readonly url: string
  /** Removes the database, also when connections to it are still open. */
  drop(): Promise<void>
}

async function command(server: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A new, empty database; its maker drops it. @param server address of a server on which databases may be made */
export async function scratchDatabaseOn(server: string): Promise<ScratchDatabase> {
  const name = `mondido_test_${randomBytes(8).toString('hex')}`
  await command(server, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => command(server, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
