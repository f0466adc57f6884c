import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads'
import type { Row } from '../runs/data.ts'

/** Request to the reader's thread. */
export interface Reading {
  /** Address of the database. */
  readonly url: string
  /** SQL of the query. Undefined: the database is closed. */
  readonly statement: string | undefined
}

/** Answer to the query. */
export type Read = { readonly rows: readonly Row[] } | { readonly problem: string }

/** Worker of the real machine, before the simulation replaces it. */
const Thread = Worker

/**
 * Creates a reader that queries PostgreSQL synchronously, like SQLite, so that a check sees the
 * data of one moment.
 */
export function createReader() {
  const { port1: port, port2: other } = new MessageChannel()
  /** Shared number of answers so far. */
  const answers = new Int32Array(new SharedArrayBuffer(4))
  const thread = new Thread(new URL('./reader-thread.ts', import.meta.url), {
    workerData: { port: other, answers },
    transferList: [other],
  })
  thread.unref()
  port.unref()

  /** @throws Error with PostgreSQL's message */
  return (url: string, statement?: string): readonly Row[] => {
    const before = Atomics.load(answers, 0)
    port.postMessage({ url, statement } satisfies Reading)
    // A wake-up can also come from the previous answer.
    while (Atomics.load(answers, 0) === before) Atomics.wait(answers, 0, before)
    const read = receiveMessageOnPort(port)?.message as Read
    if ('problem' in read) throw new Error(`${read.problem}: ${statement}`)
    return read.rows
  }
}
