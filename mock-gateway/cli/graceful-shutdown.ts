import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'

/** Milliseconds in which who keeps a connection may ask once more, and hear that it ends. */
const FAREWELL_MS = 100

/** Milliseconds after which a connection that is still busy at the end is cut. */
const STOP_LIMIT_MS = 4_000

/** Milliseconds between two looks for connections that have become idle since. */
const SWEEP_MS = 20

/**
 * Watches a server, to end it so that nobody is surprised: what is answered from then on says
 * `Connection: close`, and only then connections are closed.
 * @returns ends it: running requests may end for a while, the rest is cut
 */
export function shutDownGracefully(server: Server): () => Promise<void> {
  // By connection. A set of the answers under way, which come and go, has a new table every few of
  // them, and V8 links each old table to the next: garbage that has grown old then holds all later
  // answers until everything is collected.
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
      // A stream of events has no end of its own.
      if (response.headersSent && response.getHeader('content-type') === 'text/event-stream')
        response.end()
    }
    if ((await promisify(server.getConnections.bind(server))()) > 0) await delay(FAREWELL_MS)
    await close(server)
  }
}

function close(server: Server): Promise<void> {
  const impatient = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS)
  // Connections that were busy stay open for the client's next request unless they are closed as
  // well.
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_MS)
  return new Promise((resolve) => {
    server.close(() => {
      clearTimeout(impatient)
      clearInterval(sweep)
      resolve()
    })
  })
}
