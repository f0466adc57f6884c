import { createServer as createHttpServer, type RequestListener, type Server } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { answerUnreadable, PARSER_LIMITS } from '../web/http/unreadable.ts'
import type { Settings } from './settings.ts'
import { reasonOf, StartError } from './start-error.ts'

/** Times are the milliseconds a client may take, so that slow ones do not hold connections for ever (our decision). */
const READING = {
  ...PARSER_LIMITS,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 5_000,
  // How often Node looks for those who take longer.
  connectionsCheckingInterval: 1_000,
}

/** Milliseconds after which a connection that is still busy at the end is cut. */
const STOP_LIMIT_MS = 4_000

/** Milliseconds between two looks for connections that have become idle since. */
const SWEEP_MS = 20

/** A server that listens; requests wait for the app. */
export interface Listening {
  /** Such as http://localhost:4400. */
  readonly url: string
  answerWith(app: RequestListener): void
  /** Takes no more connections, lets running requests end for a while, cuts the rest. */
  close(): Promise<void>
}

/** Opens the port. @throws StartError when it cannot */
export async function listen(settings: Settings): Promise<Listening> {
  let answerWith: (app: RequestListener) => void = () => {}
  const app = new Promise<RequestListener>((resolve) => {
    answerWith = resolve
  })
  const server = await createServer(
    settings.tls,
    (request, response) => void app.then((answer) => answer(request, response)),
  )
  answerUnreadable(server)
  await open(server, settings)
  const { port } = server.address() as AddressInfo
  const host = /^(127\.0\.0\.1|0\.0\.0\.0|::1?)$/.test(settings.host) ? 'localhost' : inUrl(settings.host)
  return { url: `${settings.tls ? 'https' : 'http'}://${host}:${port}`, answerWith, close: () => close(server) }
}

/** IPv6 addresses stand in brackets (RFC 3986, 3.2.2). */
const inUrl = (host: string) => (host.includes(':') ? `[${host}]` : host)

async function createServer(tls: boolean, answer: RequestListener): Promise<Server> {
  if (!tls) return createHttpServer(READING, answer)
  // Only here: it is a large package, and hardly anybody starts with --tls.
  const { generate } = await import('selfsigned')
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], {
    keySize: 2048,
    algorithm: 'sha256',
  })
  // TLS 1.2 is the floor (specification: Authentication, 2).
  return createHttpsServer({ ...READING, key, cert, minVersion: 'TLSv1.2' }, answer)
}

function open(server: Server, { host, port }: Settings): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) =>
      reject(
        new StartError(
          `The gateway cannot listen on ${inUrl(host)}:${port}: ${reasonOf(error)}. Choose another with --port.`,
          1,
          {
            cause: error,
          },
        ),
      ),
    )
    server.listen(port, host, resolve)
  })
}

function close(server: Server): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS)
  // Connections that were busy stay open for the client's next request unless they are closed as well.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(impatient)
      clearInterval(sweep)
      resolve()
    })
  })
}
