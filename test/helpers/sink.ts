import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import { createServer as createTlsServer, type ServerOptions } from 'node:https'
import { listen } from './listening.ts'

/** Received call of a webhook, with its bytes. */
interface Received {
  readonly method: string
  /** Path and query as received. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** Answer to a call: a status, or a function that writes the response. */
export type Answering =
  | number
  | ((response: ServerResponse, received: Received) => void | Promise<void>)

/** Server of a shop that records its calls. */
export interface Sink {
  readonly url: string
  readonly received: readonly Received[]
  /** Sets the answers to the next calls, in order. The last answer stays for all later calls. */
  answer(...answers: Answering[]): void
  /** Resolves with the calls when there are this many. */
  calls(count: number): Promise<readonly Received[]>
  readonly server: Server
  close(): Promise<void>
}

/**
 * Opens a sink.
 * @param tls certificate for https; without it the sink uses http
 */
export async function openSink(tls?: ServerOptions, host = '127.0.0.1'): Promise<Sink> {
  const received: Received[] = []
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  let answers: Answering[] = [200]
  const listener = async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const call = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: Buffer.concat(chunks).toString('utf8'),
    }
    received.push(call)
    for (const { resolve } of waiting.filter(({ count }) => received.length >= count)) resolve()
    const [answer = 200] = answers
    if (answers.length > 1) answers = answers.slice(1)
    if (typeof answer === 'number') response.writeHead(answer).end('ok')
    else await answer(response, call)
  }
  const server = tls ? createTlsServer(tls, listener) : createServer(listener)
  const { port, close } = await listen(server, host)
  return {
    url: `${tls ? 'https' : 'http'}://${tls ? 'localhost' : host}:${port}/hook`,
    received,
    server,
    answer(...next) {
      answers = next
    },
    async calls(count) {
      if (received.length < count)
        await new Promise<void>((resolve) => waiting.push({ count, resolve }))
      return received
    },
    close,
  }
}

/** Calls a function every few milliseconds until it returns a value. */
export async function until<T>(ask: () => Promise<T | undefined | false>): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
