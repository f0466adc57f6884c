import type { Request, Response } from 'express'
import type { Logger } from '../../domain/logger.ts'
import type { Exchange } from './exchange.ts'
import type { RecentRequests } from './recent-requests.ts'

export type RequestLog = (request: Request, response: Response, exchange: Exchange) => void

/**
 * What is told of a request. An allow-list: what is not named here is not told, so no card data, password, hash or token
 * can be. The path is the route's pattern, because a real one may hold the token of a payment page.
 */
export interface RequestFacts {
  readonly request_id: string
  readonly method: string
  /** Null where nothing is. */
  readonly route: string | null
  /** Null when the client had gone. */
  readonly status: number | null
  readonly merchant_id: number | null
  readonly error: string | null
  readonly explain: string | null
  readonly duration_ms: number
}

/** What people look at, and what their pages load: no client asks there. */
const OF_BROWSERS = /^\/(?:console|assets|docs|openapi\.json|health)\b/i

/** One line a request, and, of what clients ask, a place among the last. */
export function requestLog(logger: Logger, recent: RecentRequests): RequestLog {
  return (request, response, exchange) => {
    const facts = factsOf(request, response, exchange)
    logger.info(facts)
    if (!OF_BROWSERS.test(request.originalUrl)) recent.add(facts, exchange.now)
  }
}

const factsOf = ({ method }: Request, response: Response, exchange: Exchange): RequestFacts => ({
  request_id: exchange.id,
  method,
  route: exchange.route ?? null,
  status: response.writableFinished ? response.statusCode : null,
  merchant_id: exchange.merchant?.id ?? null,
  error: exchange.errorName ?? null,
  explain: (response.getHeader('Mondido-Explain') as string | undefined) ?? null,
  duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
})
