import type { Server, ServerOptions, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, GatewayError } from '../../domain/errors/errors.ts'
import { timers } from '../../domain/timers.ts'
import { LIMITS } from '../../parsing/parameters/limits.ts'
import { COMMON_HEADERS } from './headers.ts'

/**
 * Limits of Node's parser, before the gateway sees a request: some clients put a whole form into
 * the query (observed: 2.1). The gateway itself rejects a request without Host, because Node would
 * do so without an explanation.
 */
export const PARSER_LIMITS = {
  maxHeaderSize: LIMITS.bodyBytes,
  requireHostHeader: false,
} as const satisfies ServerOptions

/** Milliseconds for a rejected client to read the reason, while its remaining bytes are dropped. */
const LINGER_MS = 1_000

interface Unreadable {
  /** HTTP's own: proxies and clients act on it before they read a body. */
  readonly status: string
  readonly explain: string
}

/**
 * Answers by the code of the parser's error. The catalogue has one error for unreadable requests,
 * errors.request.bad_format.
 */
const UNREADABLE: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    explain: `Address and headers may have at most ${LIMITS.bodyBytes} bytes. Send parameters in the body.`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    explain: 'The chunks of the body have too many extensions. Leave them out.',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    explain: 'The request did not arrive in time. Send it again without pauses.',
  },
}

const NO_HTTP: Unreadable = {
  status: '400 Bad Request',
  explain: 'The request is not valid HTTP/1.1. Check its first line, its headers and its length.',
}

/**
 * Answers data that never become a request, because Node's parser rejects them or they arrive too
 * slowly. The answer is like other rejections: the JSON triple of errors.request.bad_format (253),
 * in Swedish because no parameter is read, and Mondido-Explain. Then the connection is closed. A
 * client that has gone, or that is receiving another answer, gets nothing.
 */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, response)
    // Express would answer an invalid address itself, in another form. No route has such an
    // address.
    if (!URL.canParse(request.url ?? '', 'http://localhost')) request.url = '/nowhere'
  })
  // Node would answer 417 without a body. A server can ignore an unknown expectation (RFC 9110,
  // 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The rest of a request that was already rejected.
    if (refused.has(socket)) return
    if (!socket.writable || isHalfAnswered(latest.get(socket))) return void socket.destroy()
    refused.add(socket)
    socket.end(createRefusal(UNREADABLE[error.code ?? ''] ?? NO_HTTP))
    // If a connection with unread bytes is closed immediately, it is reset, and the answer is lost.
    timers.setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

const isHalfAnswered = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !response.writableFinished

function createRefusal({ status, explain }: Unreadable): string {
  const body = JSON.stringify(errorBody(new GatewayError('errors.request.bad_format').entry, 'sv'))
  const headers = {
    ...COMMON_HEADERS,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Mondido-Explain': explain,
    Connection: 'close',
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status}\r\n${lines.join('')}\r\n${body}`
}
