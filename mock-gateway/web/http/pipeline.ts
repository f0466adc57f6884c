import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { RequestHandler } from 'express'
import { readOnce } from '../../domain/memoized.ts'
import { timers } from '../../domain/timers.ts'

/** Maximum number of unanswered requests on one connection (our decision). */
const MAX_UNANSWERED = 100

/**
 * Cuts connections with more than `MAX_UNANSWERED` unanswered requests. Node starts every request
 * in a packet before the first is answered, and a packet can contain thousands; so no request
 * starts before the whole packet is read, and none of a closed connection.
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
    timers.queueMicrotask(() => {
      if (socket.destroyed) return
      request.url = parseTargetPath(request.url ?? '')
      app(request, response)
    })
  }
}

/**
 * A proxy's request line contains a whole address (RFC 9112, section 3.2.2), possibly with a
 * password: only its path is used.
 */
const parseTargetPath = (target: string): string =>
  target.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*(?=([/?#]|$))/i, '') || '/'

/**
 * Creates a handler on its first request, so that a start neither loads nor creates the handlers of
 * unused addresses. The console alone has more of them than the API. If loading fails, the next
 * request retries it.
 * @param load loads the module of the handler
 */
export function loadWhenAsked<Module>(
  load: () => Promise<Module>,
  make: (module: Module) => RequestHandler,
): RequestHandler {
  const handler = readOnce(async () => make(await load()))
  return async (request, response, next) => (await handler())(request, response, next)
}
