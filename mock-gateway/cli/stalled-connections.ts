import type { Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/**
 * Cuts connections without progress: the client sends nothing, or does not read an answer. While a
 * complete request waits for its answer, the client is not stalled: a clock may be moving through
 * years, or a fault may delay the answer.
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
