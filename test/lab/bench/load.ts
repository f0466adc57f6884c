import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'

/** Result of one window of load. */
export interface Sample {
  /** Number of answers. */
  readonly answers: number
  /** Answers per second. */
  readonly perSecond: number
  /**
   * Milliseconds from sending a request to the last byte of its answer: median and 99th percentile.
   */
  readonly p50: number
  readonly p99: number
  /** Size of the largest body of an answer in bytes. */
  readonly answerBytes: number
}

/** Length of a window: a number of milliseconds or of requests. */
export type Span = ({ readonly milliseconds: number } | { readonly requests: number }) & {
  /**
   * Requests per second, sent at even intervals as long as answers arrive in time. Default: as many
   * as the server answers.
   */
  readonly perSecond?: number | undefined
}

/** Clients of one server. Each has a keep-alive connection with one running request. */
export interface Load {
  /**
   * Sends requests until the span has ended, and waits for all answers. Connecting is not measured.
   * @param next returns the text of one HTTP/1.1 request
   * @throws Error if an answer is not status 200, or if the server closes a connection
   */
  run(span: Span, next: () => string): Promise<Sample>
}

interface Answer {
  /** Time from request to answer in milliseconds. */
  readonly latency: number
  readonly bytes: number
}

/**
 * Creates clients.
 * @param port port of a server on 127.0.0.1 that sends the length of each answer, or chunks
 */
export const loadOn = (port: number, connections: number): Load => ({
  async run(span, next) {
    // Each run has new connections, because the server closes idle connections between two runs.
    const sockets = Array.from({ length: connections }, () =>
      connect({ port, host: '127.0.0.1', noDelay: true }),
    )
    await Promise.all(sockets.map((socket) => once(socket, 'connect')))
    const answers: Answer[] = []
    const start = performance.now()
    const isOver =
      'requests' in span
        ? countdown(span.requests)
        : () => performance.now() - start >= span.milliseconds
    const asks: Asks = {
      next: () => (isOver() ? undefined : next()),
      early: span.perSecond === undefined ? () => 0 : evenly(span.perSecond, start),
    }
    await Promise.all(
      sockets.map((socket) => converse(socket, asks, (answer) => answers.push(answer))),
    )
    return summary(answers, (performance.now() - start) / 1000)
  },
})

const countdown = (count: number) => () => count-- <= 0

function summary(answers: readonly Answer[], seconds: number): Sample {
  const latencies = Float64Array.from(answers, ({ latency }) => latency).sort()
  const quantile = (q: number) => latencies[Math.floor(latencies.length * q)] ?? Number.NaN
  const answerBytes = answers.reduce((most, { bytes }) => Math.max(most, bytes), 0)
  return {
    answers: answers.length,
    perSecond: answers.length / seconds,
    p50: quantile(0.5),
    p99: quantile(0.99),
    answerBytes,
  }
}

interface Asks {
  /** Returns the text of the next request; undefined if the window is over. */
  next(): string | undefined
  /** Returns the milliseconds until the next request is due. */
  early(): number
}

/** Returns a function that gives the milliseconds until the next request is due. */
function evenly(perSecond: number, start: number): () => number {
  let asked = 0
  return () => start + (asked++ * 1000) / perSecond - performance.now()
}

/**
 * Sends requests on one connection and reads the answers, until `next` returns none. Then closes
 * the connection.
 */
function converse(
  socket: Socket,
  { next, early }: Asks,
  heard: (answer: Answer) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let askedAt = 0
    // Later events of the socket have no effect.
    const fail = (error: Error) => {
      reject(error)
      socket.destroy()
    }
    const ask = async () => {
      const wait = early()
      if (wait > 0) await setTimeout(wait)
      const request = next()
      if (request === undefined) {
        resolve()
        return socket.destroy()
      }
      askedAt = performance.now()
      socket.write(request)
    }
    const read = answerReader((bytes) => {
      heard({ latency: performance.now() - askedAt, bytes })
      void ask()
    }, fail)
    socket.on('data', read)
    socket.on('error', fail)
    socket.once('close', () => fail(new Error('The server hung up')))
    void ask()
  })
}

/**
 * Creates a reader that knows just enough of HTTP to find the end of an answer, and to check for
 * status 200.
 */
function answerReader(
  complete: (bytes: number) => void,
  fail: (error: Error) => void,
): (chunk: Buffer) => void {
  let head = ''
  let length = 0
  let missing = 0
  return (chunk) => {
    if (missing > 0) missing -= chunk.length
    else {
      head += chunk.toString('latin1')
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      if (CHUNKED.test(head) && !head.endsWith('\r\n0\r\n\r\n')) return
      length = CHUNKED.test(head)
        ? head.length - end - 4
        : Number(/\r\ncontent-length: (\d+)\r\n/i.exec(head)?.[1])
      if (!head.startsWith('HTTP/1.1 200 ') || Number.isNaN(length))
        return fail(new Error(`Not 200 with a length:\n${head}`))
      missing = end + 4 + length - head.length
      head = ''
    }
    if (missing === 0) complete(length)
  }
}

const CHUNKED = /\r\ntransfer-encoding: chunked\r\n/i
