import { CompiledQuery, type Kysely } from 'kysely'
import type { KeptTables, Queries } from './schema.ts'

interface Job {
  readonly work: (trx: Queries) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

const BEGIN = CompiledQuery.raw('begin immediate')
const COMMIT = CompiledQuery.raw('commit')
const ROLLBACK = CompiledQuery.raw('rollback')
const SAVEPOINT = CompiledQuery.raw('savepoint job')
const RELEASE = CompiledQuery.raw('release job')
const UNDO = CompiledQuery.raw('rollback to job')

/** A batch this large is committed even while more work waits, so that the first does not wait for ever. */
const BATCH = 64

/**
 * SQLite has one writer and pays a disk flush per commit, so the writes that wait at the same moment share one:
 * each runs in a savepoint of its own, and none is answered before the common commit.
 */
export function groupCommit(db: Kysely<KeptTables>) {
  const waiting: Job[] = []
  let running = false

  async function run() {
    while (waiting.length > 0)
      await db.connection().execute((connection) => commit(connection, waiting.splice(0, BATCH)))
    running = false
  }

  return <T>(work: (trx: Queries) => Promise<T>): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({ work, resolve: resolve as (value: unknown) => void, reject })
      if (running) return
      running = true
      // After the sockets that are readable now: their writes join this batch.
      setImmediate(() => void run())
    })
}

async function commit(connection: Kysely<KeptTables>, jobs: readonly Job[]) {
  const done: (() => void)[] = []
  try {
    await connection.executeQuery(BEGIN)
    for (const job of jobs) done.push(await runJob(connection, job))
    await connection.executeQuery(COMMIT)
  } catch (error) {
    await connection.executeQuery(ROLLBACK).catch(() => {})
    for (const job of jobs) job.reject(error)
    return
  }
  for (const answer of done) answer()
}

/** Runs one job and returns how to answer it once the batch is committed. */
async function runJob(connection: Kysely<KeptTables>, job: Job): Promise<() => void> {
  await connection.executeQuery(SAVEPOINT)
  try {
    const value = await job.work(connection)
    await connection.executeQuery(RELEASE)
    return () => job.resolve(value)
  } catch (error) {
    await connection.executeQuery(UNDO)
    await connection.executeQuery(RELEASE)
    return () => job.reject(error)
  }
}
