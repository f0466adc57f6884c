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

/** An address as documents write it, with or without an id. */
const ADDRESS = /^(\/[a-z_]+)(?:\/(\d+))?(?:\?|$)/

/**
 * Finds in one step what is asked most, for which Express would look at every pattern that stands before it. What is
 * asked in any other way, in capitals or with a slash at its end, goes on to the routers, which know all of it as well.
 * @param before what stands before all of these
 * @param routes by method and pattern; where a pattern ends in /:id that is a number
 */
export function shortcuts(
  before: RequestHandler,
  routes: Readonly<Record<string, RequestHandler<{ id: string }>>>,
): RequestHandler {
  const note =
    (path: string): RequestHandler =>
    (request, _response, next) => {
      request.route = { path }
      next()
    }
  const found = new Map(
    Object.entries(routes).map(([route, handler]) => {
      const path = route.slice(route.indexOf('/'))
      return [route, inTurn(before, note(path), handler as RequestHandler)]
    }),
  )
  return (request, response, next) => {
    const [, address = '', id = ''] = ADDRESS.exec(request.url) ?? []
    const handler = found.get(`${request.method} ${id === '' ? address : `${address}/:id`}`)
    if (!handler) return next()
    request.params = { id }
    return handler(request, response, next)
  }
}
