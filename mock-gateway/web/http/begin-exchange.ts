import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Request, RequestHandler, Response } from 'express'
import { NONE_ENCRYPTED } from '../../requests/parameters/decrypt.ts'
import type { Parameters } from '../../requests/parameters/parameters.ts'
import type { Exchange, Service } from './exchange.ts'
import type { RequestLog } from './request-log.ts'

const NONE: Parameters = Object.freeze(Object.create(null))

/** First in line for every request: its id, its moment, its line in the log. The clock is read here and nowhere else. */
export function beginExchange(service: Service, log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const nowOf = service.clocks.moment()
    const exchange: Exchange = {
      id: randomUUID(),
      startedAt: performance.now(),
      get now() {
        return nowOf(this.merchant?.id)
      },
      nowOf,
      service,
      parameters: NONE,
      encrypted: NONE_ENCRYPTED,
      merchant: undefined,
      loggedIn: false,
      // Refusals from before the parameters are read, such as a wrong password, are in the language of the query.
      locale: /[?&]locale=en(?:&|$)/i.test(request.originalUrl) ? 'en' : 'sv',
      route: undefined,
      errorName: undefined,
    }
    response.locals.exchange = exchange
    request.url = withOneSlashAtEnd(request.url)
    response.setHeader('X-Request-Id', exchange.id)
    noteRoute(request, exchange)
    stampHead(response, exchange)
    response.once('close', () => log(request, response, exchange))
    next()
  }
}

/** Express passes over one slash at the end of a path (observed: 1.4); several are as good as one. */
function withOneSlashAtEnd(url: string): string {
  const mark = url.indexOf('?')
  const path = mark < 0 ? url : url.slice(0, mark)
  let end = path.length
  while (path.endsWith('//', end)) end -= 1
  return path.slice(0, end) + url.slice(path.length)
}

/**
 * Keeps the pattern of the route as soon as Express has found it: once an error leaves a router, Express no longer says
 * where that router stood. Routers stand at plain paths, so nothing that was sent is in it but the case of letters.
 */
function noteRoute(request: Request, exchange: Exchange) {
  let route: Request['route']
  Object.defineProperty(request, 'route', {
    get: () => route,
    set(found: { readonly path: string }) {
      route = found
      exchange.route = request.baseUrl.toLowerCase() + (found.path === '/' ? '' : found.path)
    },
  })
}

/** The two headers that are known only when the answer leaves (observed: 14). */
function stampHead(response: Response, exchange: Exchange) {
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => Response
  response.writeHead = (status: number, ...rest: unknown[]) => {
    if (!response.headersSent) {
      response.setHeader('Status', `${status} ${STATUS_CODES[status] ?? ''}`.trim())
      response.setHeader('X-Runtime', ((performance.now() - exchange.startedAt) / 1000).toFixed(6))
    }
    return writeHead(status, ...rest)
  }
}
