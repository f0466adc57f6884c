import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'

/** A database that nobody else uses. */
export interface ScratchDatabase {
  /** `postgres://` address of the empty database. */
  readonly url: string
  /** Removes the database, also when connections to it are still open. */
  drop(): Promise<void>
}

async function command(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: inject('postgresUrl') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}

/** A new, empty database on the server of this test run (see `test/setup/postgres.ts`); its maker drops it. */
export async function scratchDatabase(): Promise<ScratchDatabase> {
  const name = `mondido_test_${randomBytes(8).toString('hex')}`
  await command(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`)
  const url = new URL(inject('postgresUrl'))
  url.pathname = `/${name}`
  return { url: url.href, drop: () => command(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`) }
}
