import type { KeyObject } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { GatewayError } from '../../domain/errors/errors.ts'

/** What of one request is to be decrypted: values that are no texts stand as undefined. */
export interface EncryptedValues {
  readonly values: readonly (string | undefined)[]
  readonly privateKey: KeyObject
}

/** What came out, in the same order: see `decryptValue`. */
export type DecryptedValues = readonly (string | undefined)[]

/** Decrypts beside the thread that answers requests, which would stand still for 0.3 ms a value. */
export interface Decryptor {
  /**
   * @param refuseGone asked when it is the request's turn: throws when nobody waits for it any more
   * @throws GatewayError errors.service_not_available (243, as 503) when the thread dies over it;
   *   what `refuseGone` throws
   */
  decrypt(sealed: EncryptedValues, refuseGone: () => void): Promise<DecryptedValues>
  /** Ends the threads; what waits is refused. */
  close(): Promise<void>
}

/**
 * Requests that a thread has at a time: one under way, and one so that it need not wait for the
 * next.
 */
const JOBS_PER_THREAD = 2

interface Job {
  readonly sealed: EncryptedValues
  readonly refuseGone: () => void
  readonly resolve: (clear: DecryptedValues) => void
  readonly reject: (reason: unknown) => void
}

interface Thread {
  readonly worker: Worker
  /** In the order in which they will be answered. */
  readonly underway: Job[]
}

/**
 * A decryptor whose threads begin when they are needed. One that dies is replaced when it is
 * missed, and takes only the requests along that it had. Threads that have nothing to do keep no
 * process alive.
 * @param file the program of a thread, `decrypt-worker.ts`
 * @param most threads
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
   * The thread that has least to do; a new one before any has to keep requests waiting. Undefined
   * when all have enough.
   */
  function findIdlestThread(): Thread | undefined {
    const [first] = [...threads].sort((one, other) => one.underway.length - other.underway.length)
    if (first?.underway.length === 0) return first
    if (threads.size < most) return begin()
    return first && first.underway.length < JOBS_PER_THREAD ? first : undefined
  }

  /** Gives the threads of what waits as much as they take. */
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

/** Where threads cannot give way to the one that answers, it keeps a core. */
const countThreads = () =>
  Math.max(1, availableParallelism() - (process.platform === 'linux' ? 0 : 1))

/** @throws GatewayError as a thread that dies, when the machine has none to give */
function startWorker(file: URL): Worker {
  try {
    // Flags and variables of the process are not for its threads: some would stop them from
    // beginning, and under node --watch, which is told by a variable, each would say what it loads
    // where an answer is awaited.
    return new Worker(file, { execArgv: [], env: {} })
  } catch (error) {
    throw createThreadError(error)
  }
}

const createThreadError = (cause?: unknown) =>
  new GatewayError('errors.service_not_available', {
    explain: 'The thread that decrypts parameters has stopped; send the request again',
    http: 503,
    cause,
  })
