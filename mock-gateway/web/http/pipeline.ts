import type { RequestListener } from 'node:http'
import type { Socket } from 'node:net'
import type { NextFunction, RequestHandler } from 'express'

/** Most requests of one connection that may wait for their answers (our decision). */
const MAX_UNANSWERED = 100

/**
 * Cuts a connection that sends more requests than `MAX_UNANSWERED` without waiting for answers. Node begins every request
 * of a packet before any of them is answered, and thousands of small ones fit into one packet; so none is begun before
 * the whole packet is read, and none of a connection that has gone.
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
      if (!socket.destroyed) app(request, response)
    })
  }
}

/**
 * Handlers that always follow one another as one. Express looks at the address again before each that it has, and makes
 * two functions for it, which takes longer than what most of them do.
 */
export const inTurn =
  (...handlers: readonly RequestHandler[]): RequestHandler =>
  (request, response, next) => {
    let place = 0
    const go: NextFunction = (error?: unknown) => {
      const handler = handlers[place++]
      if (error !== undefined || handler === undefined) return next(error)
      try {
        const done = handler(request, response, go)
        if (done instanceof Promise) done.catch(next)
      } catch (thrown) {
        next(thrown)
      }
    }
    go()
  }

/**
 * A handler that is made for the first request that comes to it: what nobody asks for costs a start nothing. The console
 * alone has more addresses than the API.
 */
export function whenAsked(make: () => RequestHandler): RequestHandler {
  let made: RequestHandler | undefined
  return (request, response, next) => {
    made ??= make()
    return made(request, response, next)
  }
}
