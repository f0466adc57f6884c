import type { IncomingMessage, RequestListener } from 'node:http'
import { duplexPair } from 'node:stream'
import { http } from '../../domain/node-http.ts'
import { answerUnreadable, PARSER_LIMITS } from './unreadable.ts'

/** Headers of one connection, not part of the response (RFC 9110, section 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding'])

/**
 * Answers web-standard requests with a request listener, without a port. Both ends of the
 * connection are in memory and Node's own server parses it, so the listener sees the same as with a
 * local client. An aborted request disconnects.
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
    const url = new URL(request.url)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      // Without a length, Node's client sends no body with a DELETE.
      const length = body.length > 0 ? { 'content-length': body.length } : {}
      const headers = { host: url.host, ...Object.fromEntries(request.headers), ...length }
      const { method, signal } = request
      const options = { method, signal, path: url.pathname + url.search, headers }
      http
        .request({ ...options, createConnection: () => near }, resolve)
        .once('error', reject)
        .end(body)
    })
    return toResponse(answer)
  }
}

async function toResponse(answer: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  for await (const chunk of answer) chunks.push(chunk)
  const headers = new Headers()
  for (let at = 0; at + 1 < answer.rawHeaders.length; at += 2) {
    const [name = '', value = ''] = answer.rawHeaders.slice(at, at + 2)
    if (!HOP_BY_HOP.has(name.toLowerCase())) headers.append(name, value)
  }
  const status = answer.statusCode ?? 0
  const isEmpty = status === 204 || status === 304
  return new Response(isEmpty ? null : new Uint8Array(Buffer.concat(chunks)), { status, headers })
}
