import type { KeyObject } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { GatewayError } from '../../domain/errors/errors.ts'

/** Encrypted values of one request; undefined for values that are not texts. */
export interface EncryptedValues {
  readonly values: readonly (string | undefined)[]
  readonly privateKey: KeyObject
}

/** The results in the same order: see `decryptValue`. */
export type DecryptedValues = readonly (string | undefined)[]

/** Decrypts in threads, so that the main thread is not blocked for 0.3 ms for each value. */
export interface Decryptor {
  /**
   * @param refuseGone called when it is the request's turn: throws if its client has disconnected
   * @throws GatewayError errors.service_not_available (243, as 503) if the thread dies; the errors
   *   of `refuseGone`
   */
  decrypt(sealed: EncryptedValues, refuseGone: () => void): Promise<DecryptedValues>
  /** Ends the threads; waiting requests are rejected. */
  close(): Promise<void>
}

/** Requests assigned to a thread: a running one, and the next, so that the thread never waits. */
const JOBS_PER_THREAD = 2

interface Job {
  readonly sealed: EncryptedValues
  readonly refuseGone: () => void
  readonly resolve: (clear: DecryptedValues) => void
  readonly reject: (reason: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** In the order in which they are answered. */
  readonly underway: Job[]
}

/**
 * Creates a decryptor that starts threads when they are needed. A thread that dies only loses its
 * own requests, and is replaced when it is needed. Idle threads do not keep the process alive.
 * @param file the program of a thread, `decrypt-worker.ts`
 * @param most maximum number of threads
 */
export function createDecryptor(file: URL, most: number = countThreads()): Decryptor {
  const threads = new Set<Thread>()
  const queue: Job[] = []
  let closed = false

  function begin(): Thread {
    const thread: Thread = { worker: startWorker(file), underway: [] }
    const { worker, underway } = thread
    let cause: unknown
    worker.on('message', (clear: DecryptedValues) => {
      underway.shift()?.resolve(clear)
      if (underway.length === 0) worker.unref()
      assignJobs()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      threads.delete(thread)
      for (const { reject } of underway) reject(createThreadError(cause))
      assignJobs()
    })
    threads.add(thread)
    return thread
  }

  /**
   * Returns the thread with the fewest requests; a new one if all are busy. Undefined if all are
   * full.
   */
  function findIdlestThread(): Thread | undefined {
    const [first] = [...threads].sort((one, other) => one.underway.length - other.underway.length)
    if (first?.underway.length === 0) return first
    if (threads.size < most) return begin()
    return first && first.underway.length < JOBS_PER_THREAD ? first : undefined
  }

  /** Assigns waiting requests to threads with room. */
  function assignJobs(): void {
    for (let job = queue[0]; job; job = queue[0]) {
      try {
        job.refuseGone()
        const thread = findIdlestThread()
        if (!thread) return
        thread.worker.ref()
        thread.worker.postMessage(job.sealed)
        thread.underway.push(job)
      } catch (error) {
        job.reject(error)
      }
      queue.shift()
    }
  }

  return {
    decrypt: (sealed, refuseGone) =>
      new Promise((resolve, reject) => {
        if (closed) throw createThreadError()
        queue.push({ sealed, refuseGone, resolve, reject })
        assignJobs()
      }),
    async close() {
      closed = true
      for (const { reject } of queue.splice(0)) reject(createThreadError())
      await Promise.all([...threads].map(({ worker }) => worker.terminate()))
    },
  }
}

/** Leaves one core free on systems where threads have no priorities. */
const countThreads = () =>
  Math.max(1, availableParallelism() - (process.platform === 'linux' ? 0 : 1))

/** @throws GatewayError as for a thread that dies, if the system cannot start one */
function startWorker(file: URL): Worker {
  try {
    // Threads get no flags or variables of the process: some would prevent their start, and under
    // node --watch each thread would report its files in place of an answer.
    return new Worker(file, { execArgv: [], env: {} })
  } catch (error) {
    throw createThreadError(error)
  }
}

const createThreadError = (cause?: unknown) =>
  new GatewayError('errors.service_not_available', {
    explain: 'The thread that decrypts parameters has stopped. Send the request again.',
    http: 503,
    cause,
  })
