import type { Server, ServerOptions, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { errorBody, GatewayError } from '../../domain/errors/errors.ts'
import { LIMITS } from '../../parsing/parameters/limits.ts'
import { COMMON_HEADERS } from './headers.ts'

/**
 * How much of a request Node reads before the gateway sees it: some clients put a whole form into
 * the query (observed: 2.1). One without a Host is the gateway's to refuse; Node would do it
 * without a word.
 */
export const PARSER_LIMITS = {
  maxHeaderSize: LIMITS.bodyBytes,
  requireHostHeader: false,
} as const satisfies ServerOptions

/** Milliseconds in which a refused client may read why, while what it still sends is dropped. */
const LINGER_MS = 1_000

interface Unreadable {
  /** HTTP's own: proxies and clients act on it before they read a body. */
  readonly status: string
  readonly explain: string
}

/**
 * By the code of the parser's error. The catalogue has one error for what cannot be read,
 * errors.request.bad_format.
 */
const UNREADABLE: Readonly<Record<string, Unreadable>> = {
  HPE_HEADER_OVERFLOW: {
    status: '431 Request Header Fields Too Large',
    explain: `Address and headers may have at most ${LIMITS.bodyBytes} bytes; send parameters in the body`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: {
    status: '413 Payload Too Large',
    explain: 'The chunks of the body have too many extensions; leave them out',
  },
  ERR_HTTP_REQUEST_TIMEOUT: {
    status: '408 Request Timeout',
    explain: 'The request did not arrive in time; send it again without pauses',
  },
}

const NO_HTTP: Unreadable = {
  status: '400 Bad Request',
  explain: 'The request is not valid HTTP/1.1: check its first line, its headers and its length',
}

/**
 * Answers what never becomes a request, because Node's parser refuses it or it comes too slowly, as
 * everything else is refused: by the JSON triple of errors.request.bad_format (253), in Swedish
 * since no parameter is read, and Mondido-Explain. Then the connection is closed. Who has gone, or
 * is in the middle of another answer, hears nothing.
 */
export function answerUnreadable(server: Server): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  const refused = new WeakSet<Duplex>()
  server.prependListener('request', (request, response) => {
    latest.set(request.socket, response)
    // Express would answer an address that is none by itself, not as we refuse; nothing lives here
    // either.
    if (!URL.canParse(request.url ?? '', 'http://localhost')) request.url = '/nowhere'
  })
  // Node would answer 417 and no word; a server may leave aside what it does not know (RFC 9110,
  // 10.1.1).
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    // The rest of what was refused before.
    if (refused.has(socket)) return
    if (!socket.writable || isHalfAnswered(latest.get(socket))) return void socket.destroy()
    refused.add(socket)
    socket.end(refusal(UNREADABLE[error.code ?? ''] ?? NO_HTTP))
    // Closed at once, a connection with something unread is reset, and the answer with it.
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  })
}

const isHalfAnswered = (response: ServerResponse | undefined): boolean =>
  response?.headersSent === true && !response.writableFinished

function refusal({ status, explain }: Unreadable): string {
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
