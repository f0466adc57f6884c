import { CompiledQuery, type Kysely } from 'kysely'
import { timers } from '../domain/timers.ts'
import { BUSY_MS } from './sqlite.ts'
import type { Queries, StoredTables } from './tables/schema.ts'

interface Job {
  /** Number of attempts that found the database locked by another process. */
  tries: number
  /** True if the write must survive a power loss. */
  readonly isFlushed: boolean
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

/**
 * Settings that decide whether a commit waits for the disk. The journal is in order, so a flushed
 * commit also flushes everything before it.
 */
const FLUSHED = CompiledQuery.raw('pragma synchronous = full')
const UNFLUSHED = CompiledQuery.raw('pragma synchronous = normal')

/**
 * A batch of this size is committed even if more work waits, so that the first job is not delayed
 * without end.
 */
const BATCH = 64

/**
 * Milliseconds between two attempts while the database is locked, and the number of attempts: 5 s
 * in all.
 */
const PAUSE_MS = 30
const TRIES = 5_000 / (BUSY_MS + PAUSE_MS)

/**
 * Shares commits on SQLite, which has one writer and flushes the disk at each commit. Writes that
 * wait at the same time share a commit, and each is answered after it. If one fails, all are undone
 * and run again, and only the failing one is undone. A commit is flushed if one of its writes
 * requires it; an unflushed commit survives a killed process and costs a hundredth. While another
 * process writes, writes wait without blocking reads, and are rejected after 5 s.
 * @param check throws if a commit would be lost
 */
export function groupCommit(db: Kysely<StoredTables>, check: () => void) {
  const waiting: Job[] = []
  let running = false
  /** The setting of a new connection. */
  let mode = FLUSHED

  async function commitAll() {
    while (waiting.length > 0)
      try {
        await db.connection().execute(async (connection) => {
          const count = Math.min(waiting.length, BATCH)
          const wanted = waiting.slice(0, count).some(({ isFlushed }) => isFlushed)
            ? FLUSHED
            : UNFLUSHED
          if (wanted !== mode) await connection.executeQuery(wanted)
          mode = wanted
          await commit(connection, waiting, count, check)
        })
      } catch (error) {
        const hopeless = isBusy(error)
          ? waiting.filter((job) => ++job.tries >= TRIES)
          : [...waiting]
        for (const job of hopeless) waiting.splice(waiting.indexOf(job), 1)[0]?.reject(error)
        await timers.pause(PAUSE_MS)
      }
    running = false
  }

  return <T>(work: (trx: Queries) => Promise<T>, isFlushed: boolean): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      waiting.push({
        tries: 0,
        isFlushed,
        work,
        resolve: resolve as (value: unknown) => void,
        reject,
      })
      if (running) return
      running = true
      // After the sockets that are readable now: their writes join this batch.
      timers.setImmediate(() => void commitAll())
    })
}

/** SQLITE_BUSY, whatever it extends to. */
const isBusy = (error: unknown): boolean =>
  ((error as { errcode?: number }).errcode ?? 0) % 256 === 5

/**
 * Runs a batch of jobs and answers them: failures are rare, so the jobs run together first, and
 * separately if one of them failed.
 * @throws the database's own error, without a job done, if it cannot begin
 */
async function commit(
  connection: Kysely<StoredTables>,
  waiting: Job[],
  count: number,
  check: () => void,
  run: RunJobs = runTogether,
): Promise<void> {
  await connection.executeQuery(BEGIN)
  const jobs = waiting.splice(0, count)
  let answers: Resolve[] | undefined
  try {
    answers = await run(connection, jobs)
    check()
    await connection.executeQuery(COMMIT)
    for (const answer of answers) answer()
  } catch (error) {
    await connection.executeQuery(ROLLBACK).catch(() => {})
    if (answers || run === runApart || jobs.length === 1) {
      for (const job of jobs) job.reject(error)
      return
    }
    // These jobs wait again, before all others: another process may be writing now.
    waiting.unshift(...jobs)
    await commit(connection, waiting, count, check, runApart)
  }
}

type Resolve = () => void

/** Runs jobs, and returns how to answer them once the batch is committed. */
type RunJobs = (connection: Kysely<StoredTables>, jobs: readonly Job[]) => Promise<Resolve[]>

/**
 * Runs without savepoints, because with a savepoint SQLite copies every page before it changes it.
 * @throws the error of the first job that fails
 */
const runTogether: RunJobs = async (connection, jobs) => {
  const answers: Resolve[] = []
  for (const { work, resolve } of jobs) {
    const value = await work(connection)
    answers.push(() => resolve(value))
  }
  return answers
}

/** A failing job does not affect the other jobs. */
const runApart: RunJobs = async (connection, jobs) => {
  const answers: Resolve[] = []
  for (const job of jobs) {
    await connection.executeQuery(SAVEPOINT)
    try {
      answers.push(...(await runTogether(connection, [job])))
    } catch (error) {
      // Throws the job's own error: a full disk, for example, has already ended the transaction, so
      // the rollback fails too.
      await connection.executeQuery(UNDO).catch(() => Promise.reject(error))
      answers.push(() => job.reject(error))
    }
    await connection.executeQuery(RELEASE)
  }
  return answers
}
