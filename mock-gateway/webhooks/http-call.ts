import { lookup as lookUp } from 'node:dns'
import type { ClientRequest, Agent as HttpAgent, IncomingMessage, RequestOptions } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import tls from 'node:tls'
import { urlToHttpOptions } from 'node:url'
import { promisify } from 'node:util'
import { memoized } from '../domain/memoized.ts'
import { http } from '../domain/node-http.ts'
import { performance, timers } from '../domain/timers.ts'
import {
  type AddressProfile,
  findAddressIn,
  isForbiddenAddress,
  isForbiddenName,
} from '../domain/webhook/addresses.ts'
import { isSameMachine } from './same-machine.ts'
import { createMissingReply, type Reply } from './transport.ts'

/** One call to a target. */
export interface HttpCall {
  readonly url: string
  readonly method: 'POST' | 'GET'
  readonly headers: Readonly<Record<string, string>>
  /** Empty for none. */
  readonly body: string
  /** Milliseconds for the whole call: name, connection, headers, body. */
  readonly within: number
  /** Called with an open connection. The body is sent when the promise resolves. */
  readonly opened?: (() => Promise<unknown>) | undefined
  /** Cancels the call. */
  readonly signal?: AbortSignal | undefined
}

/** Calls a target; never throws, and does not follow redirects. */
export type MakeCall = (call: HttpCall) => Promise<Reply>

/** Options of calls. */
export interface CallOptions {
  /**
   * PEM of an additional certificate authority, next to those of Node. Nothing else changes the
   * trusted ones.
   */
  readonly ca?: string | undefined
  readonly addresses: AddressProfile
  /** The gateway's own database, which is never called. */
  readonly database?: { readonly host: string; readonly port: number } | undefined
  /** Resolves names. Default: the machine's resolver. */
  readonly lookup?: typeof lookUp | undefined
}

/**
 * Stored bytes of a body: old shops answer a whole page. The rest is read and dropped, so that the
 * shop's script runs to its end, until the connection is closed.
 */
const STORED_BYTES = 64 * 1024
const READ_BYTES = 1024 * 1024

/**
 * @returns the call function, which reuses connections for a while, and a function that closes them
 */
export function createHttpCalls(options: CallOptions): { call: MakeCall; close(): void } {
  const { ca, addresses, database, lookup = lookUp } = options
  const isAllowed = (address: string) => !isForbiddenAddress(address, addresses)
  const shared = {
    keepAlive: true,
    timeout: 10_000,
    lookup: createCheckedLookup(lookup, isAllowed),
  }
  const plain = new http.Agent(shared)
  let secure: HttpsAgent | undefined
  /**
   * Created on demand: reading the list of authorities is slow, and many gateways never need it.
   */
  const secureAgent = () => {
    secure ??= new HttpsAgent({
      ...shared,
      secureContext: tls.createSecureContext({
        ca: [...tls.rootCertificates, ...(ca === undefined ? [] : [ca])],
      }),
      // Set explicitly, so that no environment variable changes it.
      rejectUnauthorized: true,
      minVersion: 'TLSv1.2',
    })
    return secure
  }

  /** Returns the target, or the reason why it may not be called. */
  const parseTarget = memoized(500, (text): CallTarget | string => {
    const url = URL.parse(text)
    if (!url) return 'The url is invalid'
    // Every call copies these several times.
    const { hostname, port, path, auth } = urlToHttpOptions(url)
    return (
      findForbiddenHost(url.hostname, isAllowed) ?? { url, options: { hostname, port, path, auth } }
    )
  })

  async function call(what: HttpCall): Promise<Reply> {
    const target = parseTarget(what.url)
    if (typeof target === 'string') return createMissingReply(target)
    const deadline = performance.now() + what.within
    if (database && getPort(target.url) === database.port)
      return callBeside(await resolveAddresses(database.host), what, target, deadline)
    const open = () => send(what, target, target.url.protocol === 'https:' ? secureAgent() : plain)
    const first = await once(open, what, deadline)
    // The target had closed a reused connection before it received anything, so nothing is sent
    // twice.
    return first.stale ? (await once(open, what, deadline)).reply : first.reply
  }

  const resolveAddresses = (host: string) =>
    promisify(lookup)(host, { all: true }).then(
      (found) => found.map(({ address }) => address),
      () => [],
    )

  /**
   * Allows calls to other servers on the database's port, but never to the database itself, under
   * any of its names.
   */
  async function callBeside(
    own: readonly string[],
    what: HttpCall,
    target: CallTarget,
    deadline: number,
  ): Promise<Reply> {
    const { url } = target
    const isOther = (address: string) =>
      isAllowed(address) && !own.some((each) => isSameMachine(each, address))
    const forbidden = findForbiddenHost(url.hostname, isOther)
    if (forbidden) return createMissingReply(forbidden)
    const given = { lookup: createCheckedLookup(lookup, isOther) }
    const agent =
      url.protocol === 'https:'
        ? new HttpsAgent({ ...secureAgent().options, ...given, keepAlive: false })
        : new http.Agent(given)
    return (await once(() => send(what, target, agent), what, deadline)).reply
  }

  return {
    call,
    close() {
      plain.destroy()
      secure?.destroy()
    },
  }
}

/** An allowed address with its options for Node. */
interface CallTarget {
  readonly url: URL
  readonly options: RequestOptions
}

function send(
  { method, headers }: HttpCall,
  { url, options }: CallTarget,
  agent: HttpAgent,
): ClientRequest {
  const request = url.protocol === 'https:' ? httpsRequest : http.request
  // Node writes a list unchanged; an object would be checked and copied several times.
  const list = ['host', url.host, 'accept-encoding', 'identity']
  for (const name in headers) list.push(name, headers[name] as string)
  return request({ ...options, method, agent, headers: list })
}

/** Result of one attempt; stale if a reused connection ended before the first byte of an answer. */
interface CallAttempt {
  readonly reply: Reply
  readonly stale?: true
}

function once(
  open: () => ClientRequest,
  { body, signal, within, opened }: HttpCall,
  deadline: number,
): Promise<CallAttempt> {
  return new Promise((resolve) => {
    const request = open()
    let answer: IncomingMessage | undefined
    const timer = timers.setTimeout(
      () => end(createMissingReply(`No complete answer within ${within / 1000} seconds`)),
      deadline - performance.now(),
    )
    const abort = () => end(createMissingReply('The call was aborted'))
    signal?.addEventListener('abort', abort, { once: true })

    function end(reply: Reply, stale?: true) {
      timers.clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      resolve(stale ? { reply, stale } : { reply })
      // The connection is reused after a complete answer, unless the target answered before it had
      // read the request.
      if (!answer?.complete || !request.writableFinished) request.destroy()
    }

    request.on('response', (response) => {
      answer = response
      readReply(response, end)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      const wasClosed = error.code === 'ECONNRESET' || error.code === 'EPIPE'
      const isStale = request.reusedSocket && wasClosed && request.socket?.bytesRead === readBefore
      end(createMissingReply(formatError(error)), isStale ? true : undefined)
    })
    let readBefore: number | undefined
    request.on('socket', (socket) => {
      readBefore = socket.bytesRead
    })
    if (signal?.aborted) abort()
    else if (opened) sendWhenOpen(request, body, opened)
    else request.end(body)
  })
}

/** Opens the connection and sends the headers, and the body later. */
function sendWhenOpen(request: ClientRequest, body: string, opened: () => Promise<unknown>) {
  const sendBody = () => void opened().then(() => request.end(body))
  request.once('socket', (socket) => {
    if (socket.connecting) socket.once('connect', sendBody)
    else sendBody()
  })
  request.flushHeaders()
}

const UTF_8 = new TextDecoder()

function readReply(response: IncomingMessage, end: (reply: Reply) => void) {
  const chunks: Buffer[] = []
  let bytes = 0
  const reply = (code: number | null, error: string | null): Reply => ({
    code,
    message: response.statusMessage ?? '',
    headers: joinHeaders(response),
    body: UTF_8.decode(Buffer.concat(chunks).subarray(0, STORED_BYTES)),
    error,
  })
  response.on('data', (chunk: Buffer) => {
    if (bytes < STORED_BYTES) chunks.push(chunk)
    bytes += chunk.length
    if (bytes > READ_BYTES) end(reply(response.statusCode ?? null, null))
  })
  response.on('end', () => end(reply(response.statusCode ?? null, null)))
  response.on('error', (error) => end(reply(null, formatError(error))))
}

/** Repeated headers become one text; the parser has limited them to 16 KB. */
function joinHeaders({
  headers: { 'set-cookie': cookies, ...headers },
}: IncomingMessage): Record<string, string> {
  const others = headers as Record<string, string>
  return cookies ? { ...others, 'set-cookie': cookies.join(', ') } : others
}

/** Formats an error, or several errors if several addresses were tried. */
export function formatError(error: NodeJS.ErrnoException): string {
  const errors =
    error instanceof AggregateError ? (error.errors as NodeJS.ErrnoException[]) : [error]
  return errors
    .map(({ code, message }) => (code && !message.includes(code) ? `${code}: ${message}` : message))
    .join('; ')
}

export const getPort = ({ port, protocol }: URL): number =>
  Number(port || (protocol === 'https:' ? 443 : 80))

/** Addresses in a url are called without a lookup, so they are checked here. */
export function findForbiddenHost(
  hostname: string,
  isAllowed: (address: string) => boolean,
): string | undefined {
  const address = findAddressIn(hostname)
  const isForbidden = address === undefined ? isForbiddenName(hostname) : !isAllowed(address)
  return isForbidden ? `${hostname} may not be called` : undefined
}

/**
 * Resolves a name and rejects it if any of its addresses is forbidden; the checked addresses are
 * the ones called.
 */
export const createCheckedLookup =
  (lookup: typeof lookUp, isAllowed: (address: string) => boolean): LookupFunction =>
  (hostname, options, callback) =>
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error) return callback(error, [])
      const forbidden = found.find(({ address }) => !isAllowed(address))
      if (forbidden || found.length === 0)
        return callback(
          new Error(`${hostname} is ${forbidden?.address ?? 'nowhere'}, which may not be called`),
          [],
        )
      const [first] = found
      if (options.all) callback(null, found)
      else callback(null, first?.address ?? '', first?.family)
    })
