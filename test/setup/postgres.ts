/** PostgreSQL server for the run of the `gateway` tests: `TEST_DATABASE_URL`, or a new one. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../mock-gateway/storage/database.ts'
import type { ServerReport } from './postgres-server.ts'
import { dropAll, type ScratchDatabase, scratchDatabaseOn } from './scratch-database.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of a PostgreSQL server on which the tests may create databases. */
    postgresUrl: string
    /** Name of a database on the server with the empty tables of a gateway. */
    postgresTemplate: string
  }
}

const START_LIMIT_MS = 180_000

/** Server on which databases can be created. */
export interface PostgresServer {
  readonly url: string
  stop(): Promise<void>
}

/** Server whose committed data survive a crash. */
export interface DurablePostgres extends PostgresServer {
  /** Kills all processes of the server, and starts it again. */
  crash(): Promise<void>
}

async function ownServer(...given: readonly 'durable'[]): Promise<DurablePostgres> {
  // The server has its own process group, so that Ctrl-C in the terminal reaches only this process.
  // The server stops when this process ends.
  const child = fork(fileURLToPath(new URL('postgres-server.ts', import.meta.url)), given, {
    detached: true,
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    if (child.connected) child.disconnect()
    await ended
  }
  const reported = () =>
    Promise.race<ServerReport>([
      once(child, 'message').then(([message]) => message as ServerReport),
      ended.then(() => ({ problem: 'its process ended before it answered' })),
      new Promise((resolve) => {
        setTimeout(resolve, START_LIMIT_MS, {
          problem: 'it did not start within three minutes',
        }).unref()
      }),
    ])
  /**
   * Resolves when the server has started.
   * @returns its address
   */
  async function started(): Promise<string> {
    const report = await reported()
    if ('url' in report) return report.url
    await stop()
    throw new Error(
      `The tests need PostgreSQL and could not start their own (${report.problem}). ` +
        'Set TEST_DATABASE_URL to a server on which they may create databases.',
    )
  }
  return {
    url: await started(),
    stop,
    async crash() {
      child.send('crash')
      await started()
    },
  }
}

async function givenServer(url: string): Promise<PostgresServer> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  try {
    await client.connect()
  } catch (error) {
    throw new Error(
      `The PostgreSQL server of TEST_DATABASE_URL cannot be reached: ${(error as Error).message}`,
    )
  }
  await client.end()
  return { url, stop: async () => {} }
}

/** Starts a server that ends with `stop`, or uses the server of `TEST_DATABASE_URL`. */
export function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL
  return given ? givenServer(given) : ownServer()
}

/** Starts a new server with `fsync` on. */
export const startDurablePostgres = (): Promise<DurablePostgres> => ownServer('durable')

/** Creates a database with the empty tables of a gateway. */
export async function templateOn(server: string): Promise<ScratchDatabase> {
  const template = await scratchDatabaseOn(server)
  await (await openDatabase(template.url)).close()
  return template
}

/**
 * Starts the server before the first `gateway` test, and stops it after the last one. Provides the
 * server and its template database to the tests.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const template = await templateOn(server.url)
  project.provide('postgresUrl', server.url)
  project.provide('postgresTemplate', template.name)
  return async () => {
    await dropAll(server.url, template)
    await server.stop()
  }
}
