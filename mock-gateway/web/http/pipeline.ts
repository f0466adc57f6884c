import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHandler } from 'express'

/** Most requests of one connection that may wait for their answers (our decision). */
const MAX_UNANSWERED = 100

/**
 * Cuts a connection that sends more requests than `MAX_UNANSWERED` without waiting for answers.
 * Node begins every request of a packet before any of them is answered, and thousands of small ones
 * fit into one packet; so none is begun before the whole packet is read, and none of a connection
 * that has gone.
 */
export function limitPipeline(app: RequestListener): RequestListener {
  const unanswered = new WeakMap<Socket, number>()
  const count = (socket: Socket, change: number) => {
    const now = (unanswered.get(socket) ?? 0) + change
    unanswered.set(socket, now)
    return now
  }
  return (request, response) => {
    const { socket } = request
    response.on('close', () => count(socket, -1))
    if (count(socket, +1) > MAX_UNANSWERED) return void socket.destroy()
    queueMicrotask(() => {
      if (socket.destroyed) return
      request.url = pathOfTarget(request.url ?? '')
      app(request, response)
    })
  }
}

/**
 * A proxy's request line holds a whole address (RFC 9112, section 3.2.2), perhaps with a password:
 * only its path is read, so nothing else is kept.
 */
const pathOfTarget = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(?=([/?#]|$))/i, '') || '/'

/**
 * Creates a handler when its first request arrives, so that a start does not pay for addresses that
 * nobody requests. The console alone has more of them than the API.
 */
export function whenAsked(make: () => RequestHandler): RequestHandler {
  let made: RequestHandler | undefined
  return (request, response, next) => {
    made ??= make()
    return made(request, response, next)
  }
}
