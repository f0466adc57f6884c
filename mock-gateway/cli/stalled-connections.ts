import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Cuts connections on which nothing has moved for a while: nothing is sent, or an answer is not
 * read. While a whole request waits for its answer the client is not to blame: a clock may be on
 * its way through years, or a fault has been ordered that makes answers late.
 * @param timeLimit milliseconds
 */
export function cutStalled(server: Server, timeLimit: number): void {
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
