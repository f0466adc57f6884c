import type { Request, Response } from 'express'
import type { Logger } from '../../domain/logger.ts'
import type { Exchange } from './exchange.ts'
import type { RecentRequests } from './recent-requests.ts'
import { factsOf } from './request-facts.ts'

export type RequestLog = (request: Request, response: Response, exchange: Exchange) => void

/** What people look at, and what their pages load: no client asks there. */
const OF_BROWSERS = /^\/(?:console|assets|docs|openapi(?:-control)?\.json|health)\b/i

/** One line a request, and, of what clients ask, a place among the last. */
export function requestLog(logger: Logger, recent: RecentRequests): RequestLog {
  return (request, response, exchange) => {
    const facts = factsOf(request, response, exchange)
    logger.info(facts)
    if (!OF_BROWSERS.test(request.originalUrl))
      recent.add(facts, facts.merchant_id === null ? exchange.now : exchange.nowOf(facts.merchant_id))
  }
}
