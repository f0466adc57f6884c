import type { RequestListener } from 'node:http'
import { type Duplex, duplexPair } from 'node:stream'
import { http } from '../../domain/node-http.ts'
import type { SessionPasses } from '../../merchants/sessions.ts'
import { answerUnreadable, PARSER_LIMITS } from './unreadable.ts'

/** Headers of one connection, not part of the message (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * Answers web-standard requests with a request listener, without a port. Both ends of the
 * connection are in memory and Node's own server parses it, so the listener sees the same as with a
 * local client. An aborted request disconnects. The client is ours: test suites replace Node's.
 * @returns rejects with the connection's error if the listener cuts it without an answer
 */
export function answerInProcess(
  listener: RequestListener,
): (request: Request) => Promise<Response> {
  const server = http.createServer(PARSER_LIMITS, listener)
  answerUnreadable(server)
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer())
    const [near, far] = duplexPair()
    server.emit('connection', Object.assign(far, { remoteAddress: '127.0.0.1' }))
    const abort = () => near.destroy(new DOMException('The request was aborted', 'AbortError'))
    if (request.signal?.aborted) abort()
    request.signal?.addEventListener('abort', abort, { once: true })
    near.write(writeHead(request, body.length), 'latin1')
    near.write(body)
    try {
      return readResponse(await readAll(near), request.method)
    } finally {
      request.signal?.removeEventListener('abort', abort)
    }
  }
}

/**
 * Writes the head of a request. Answers to HTTP/1.0 have no chunks, and end with the connection (RFC
 * 9112, sections 6.1 and 6.3).
 */
function writeHead({ method, url, headers }: Request, length: number): string {
  const { host, pathname, search } = new URL(url)
  const fields = { host, ...Object.fromEntries(headers) }
  const lines = Object.entries({ ...fields, ...(length > 0 && { 'content-length': length }) })
    .filter(([name]) => !HOP_BY_HOP.has(name))
    .map(([name, value]) => `${name}: ${value}\r\n`)
  return `${method} ${pathname}${search} HTTP/1.0\r\n${lines.join('')}\r\n`
}

async function readAll(connection: Duplex): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of connection) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** @throws Error if the connection ended before the answer was complete */
function readResponse(answer: Buffer, method: string): Response {
  const end = answer.indexOf('\r\n\r\n')
  if (end < 0) throw connectionCut('socket hang up')
  const [statusLine = '', ...lines] = answer.toString('latin1', 0, end).split('\r\n')
  const fields = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  const headers = new Headers(fields.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase())))
  const status = Number(statusLine.split(' ')[1])
  const isEmpty = status === 204 || status === 304
  const body = new Uint8Array(answer.subarray(end + 4))
  if (!isEmpty && method !== 'HEAD' && body.length < Number(headers.get('content-length')))
    throw connectionCut('aborted')
  return new Response(isEmpty ? null : body, { status, headers })
}

/** Creates the error with which Node's client reports a cut connection. */
const connectionCut = (message: string) => Object.assign(new Error(message), { code: 'ECONNRESET' })

/**
 * Sends a request to this gateway as a client: it is answered, logged and affected by faults like
 * any other.
 * @param merchantId the merchant that logs in; undefined: no login
 * @returns rejects if a fault cuts the connection
 */
export type AskAs = (merchantId: number | undefined, request: Request) => Promise<Response>

export const askAs =
  (passes: SessionPasses, handle: (request: Request) => Promise<Response>): AskAs =>
  async (merchantId, request) => {
    if (merchantId === undefined) return handle(request)
    return passes.during(merchantId, (password) => {
      request.headers.set('authorization', `Basic ${btoa(`${merchantId}:${password}`)}`)
      return handle(request)
    })
  }
