import type { RequestListener, Server, ServerResponse } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { createSecureContext, DEFAULT_CIPHERS, getCiphers } from 'node:tls'
import { promisify } from 'node:util'
import { http } from '../domain/node-http.ts'
import { timers } from '../domain/timers.ts'
import { getPort, openPort } from '../web/http/open-port.ts'
import { answerUnreadable, PARSER_LIMITS } from '../web/http/unreadable.ts'
import {
  type Certificate,
  loadCertificateFile,
  makeCertificate,
  readCertificate,
} from './certificate.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Settings, Tls } from './settings.ts'
import { findReason, StartError } from './start-error.ts'

/**
 * Time limits for a client in milliseconds, so that slow clients cannot hold connections forever
 * (our decision).
 */
const READING = {
  ...PARSER_LIMITS,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  // Without this time, clients on busy machines would send a request just as their idle connection
  // is closed, and get a reset.
  keepAliveTimeout: 20_000,
  // Interval at which Node checks these limits.
  connectionsCheckingInterval: 1_000,
}

/**
 * Milliseconds without progress, in the handshake, a request or the reading of an answer, after
 * which a client is cut off.
 */
const TIME_LIMIT_MS = 30_000

/**
 * Returns the number of descriptors that clients can use: a share of all, and never the last ones,
 * which files, databases, threads and calls to webhooks need (our decision).
 */
const countForClients = (descriptors: number): number =>
  Math.max(1, Math.floor(Math.min(descriptors * 0.75, descriptors - 60)))

/** A server that listens; requests wait for the app. */
export interface Listening {
  /** Such as http://localhost:4400. */
  readonly url: string
  /** The certificate (PEM) that clients must trust; undefined without TLS. */
  readonly certificate: string | undefined
  answerWith(app: RequestListener): void
  /** Accepts no more connections, gives running requests some time to end, then cuts the rest. */
  close(): Promise<void>
}

/**
 * Opens the port.
 * @param timeLimit milliseconds; for tests
 * @throws StartError if it cannot
 */
export async function listen(settings: Settings, timeLimit = TIME_LIMIT_MS): Promise<Listening> {
  let answerWith: (app: RequestListener) => void = () => {}
  const app = new Promise<RequestListener>((resolve) => {
    answerWith = resolve
  })
  const certificate = settings.tls && (await loadCertificate(settings.tls, settings))
  const answerer: RequestListener = (request, response) =>
    void app.then((answer) => answer(request, response))
  const servers = await openServers(settings, () => {
    const server = createServer(certificate, timeLimit, answerer)
    cutStalled(server, timeLimit)
    answerUnreadable(server)
    return server
  })
  const closers = servers.map(shutDownGracefully)
  // Then, because it takes a few milliseconds, and starting has none to spare.
  for (const server of servers)
    server.once('connection', () => limitConnections(server, servers.length))
  const port = getPort(servers[0])
  const host = /^(127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(settings.host)
    ? 'localhost'
    : formatHost(settings.host)
  const url = `${certificate ? 'https' : 'http'}://${host}:${port}`
  const close = async () => void (await Promise.all(closers.map((end) => end())))
  return { url, certificate: certificate?.cert, answerWith, close }
}

/** IPv6 addresses are written in brackets (RFC 3986, 3.2.2). */
const formatHost = (host: string) => (host.includes(':') ? `[${host}]` : host)

/** @throws StartError if the operator's own certificate cannot be used */
async function loadCertificate(tls: Tls, { host, addresses }: Settings): Promise<Certificate> {
  if ('cert' in tls) {
    try {
      const given = await readCertificate(tls)
      createSecureContext(given)
      return given
    } catch (error) {
      throw new StartError(
        `The certificate ${tls.cert} with the key ${tls.key} cannot be used: ${findReason(error)}.`,
        2,
      )
    }
  }
  const hosts = [
    host,
    ...Object.values(addresses).map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, '$1')),
  ]
  const named = new Set([...HERE, ...hosts.filter((each) => !/^(0\.0\.0\.0|::)$/.test(each))])
  if (tls.folder === undefined) return makeCertificate([...named], Date.now())
  try {
    await makeDataFolder(dirname(tls.folder))
    return await loadCertificateFile(tls.folder, [...named], Date.now())
  } catch (error) {
    throw new StartError(
      `The certificate cannot be kept in ${tls.folder}: ${findReason(error)}.`,
      1,
      { cause: error },
    )
  }
}

const HERE = ['localhost', '127.0.0.1', '::1']

/**
 * TLS ciphers: those of Node except AES-128 in CBC mode. Old clients that support it also support
 * AES-256 (our decision).
 */
function listCiphers(): string {
  const refused = getCiphers().filter((name) => /aes128-(cbc-)?sha/.test(name))
  return [DEFAULT_CIPHERS, ...refused.map((name) => name.toUpperCase())].join(':!')
}

function createServer(
  certificate: Certificate | undefined,
  handshakeTimeout: number,
  answer: RequestListener,
): Server {
  // TLS 1.2 is the minimum version (specification: Authentication, 2).
  const tls = certificate && {
    ...certificate,
    handshakeTimeout,
    minVersion: 'TLSv1.2' as const,
    ciphers: listCiphers(),
  }
  return tls
    ? createHttpsServer({ ...READING, ...tls }, answer)
    : http.createServer(READING, answer)
}

/**
 * Limits the connections of one of several servers by the limit of file descriptors. If all were
 * used, no file could be read. Windows has no such limit.
 */
function limitConnections(server: Server, servers: number): void {
  // The report would look up a name for each connection.
  const { userLimits } = Object.assign(process.report, { excludeNetwork: true }).getReport() as {
    userLimits?: { open_files: { soft: number | 'unlimited' } }
  }
  const descriptors = Number(userLimits?.open_files.soft)
  if (descriptors > 0) server.maxConnections = Math.ceil(countForClients(descriptors) / servers)
}

const openServers = ({ host, port }: Settings, createServer: () => Server) =>
  openPort(host, port, createServer).catch((error: unknown) => {
    throw new StartError(
      `The gateway cannot listen on ${formatHost(host)}:${port}: ${findReason(error)}. Choose another with --port.`,
      1,
      { cause: error },
    )
  })

/**
 * Grace period in milliseconds: a client on a kept-alive connection can send one more request,
 * whose answer closes the connection.
 */
const FAREWELL_MS = 100

/** Milliseconds after which a connection that is still busy at the end is cut. */
const STOP_LIMIT_MS = 4_000

/** Milliseconds between two searches for connections that have become idle. */
const SWEEP_MS = 20

/**
 * Watches a server, so that it can end without lost requests: answers then contain `Connection:
 * close`, and connections close after them.
 * @returns a function that ends the server: running requests get some time, then they are cut
 */
function shutDownGracefully(server: Server): () => Promise<void> {
  // The latest answer by connection. A set of running answers would be resized often, and V8 links
  // each old table to the next: an old, unused table then keeps all later answers until a full
  // garbage collection.
  const latest = new Map<Socket, ServerResponse>()
  let ending = false
  server.prependListener('request', ({ socket }, response) => {
    if (ending) response.shouldKeepAlive = false
    if (!latest.has(socket)) socket.once('close', () => latest.delete(socket))
    latest.set(socket, response)
  })
  return async () => {
    ending = true
    for (const response of latest.values()) {
      response.shouldKeepAlive = false
      // A stream of events does not end by itself.
      if (response.headersSent && response.getHeader('content-type') === 'text/event-stream')
        response.end()
    }
    if ((await promisify(server.getConnections.bind(server))()) > 0) await timers.pause(FAREWELL_MS)
    await close(server)
  }
}

function close(server: Server): Promise<void> {
  const impatient = timers.setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS)
  // Connections that were busy stay open for the client's next request unless they are closed as
  // well.
  const sweep = timers.setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  return new Promise((resolve) => {
    server.close(() => {
      timers.clearTimeout(impatient)
      timers.clearInterval(sweep)
      resolve()
    })
  })
}

/**
 * Cuts connections without progress: the client sends nothing, or does not read an answer. While a
 * complete request waits for its answer, the client is not stalled: a clock may be moving through
 * years, or a fault may delay the answer.
 * @param timeLimit milliseconds
 */
function cutStalled(server: Server, timeLimit: number): void {
  const latest = new WeakMap<Duplex, ServerResponse>()
  server.timeout = timeLimit
  server.prependListener('request', (request, response) => latest.set(request.socket, response))
  server.on('timeout', (socket) => {
    if (isAwaited(latest.get(socket))) socket.setTimeout(timeLimit)
    else socket.destroy()
  })
}

const isAwaited = (response: ServerResponse | undefined): boolean =>
  response?.req.complete === true && !response.headersSent
