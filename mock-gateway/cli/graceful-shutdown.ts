import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { timers } from '../domain/timers.ts'

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
export function shutDownGracefully(server: Server): () => Promise<void> {
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
