import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { RequestHandler, Response } from 'express'
import type { Parameters } from '../domain/parameters.ts'
import type { Exchange } from './exchange.ts'
import type { RequestLog } from './request-log.ts'

const NONE: Parameters = Object.freeze(Object.create(null))

/** First in line for every request: its id, its clock, its line in the log. */
export function beginExchange(log: RequestLog): RequestHandler {
  return (request, response, next) => {
    const exchange: Exchange = {
      id: randomUUID(),
      startedAt: performance.now(),
      parameters: NONE,
      merchant: undefined,
      // Refusals from before the parameters are read, such as a wrong password, are in the language of the query.
      locale: /[?&]locale=en(?:&|$)/i.test(request.originalUrl) ? 'en' : 'sv',
      errorName: undefined,
    }
    response.locals.exchange = exchange
    response.setHeader('X-Request-Id', exchange.id)
    stampHead(response, exchange)
    response.once('close', () => log(request, response, exchange))
    next()
  }
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
