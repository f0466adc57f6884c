import type { Request, Response } from 'express'
import type { Changes } from '../../domain/changes.ts'
import type { Logger } from '../../domain/logger.ts'
import type { Exchange } from './exchange.ts'
import type { RecentRequests } from './recent-requests.ts'
import { factsOf } from './request-facts.ts'

export type RequestLog = (request: Request, response: Response, exchange: Exchange) => void

/** What people look at, and what their pages load: no client asks there. */
const OF_BROWSERS = /^\/(?:console|assets|docs|openapi(?:-control)?\.json|health)\b/i

/** One line a request, and, of what clients ask, a place among the last. */
export function requestLog(logger: Logger, recent: RecentRequests, changes: Changes): RequestLog {
  return (request, response, exchange) => {
    const facts = factsOf(request, response, exchange)
    logger.info(facts)
    const { merchant_id: merchantId } = facts
    if (!OF_BROWSERS.test(request.originalUrl)) {
      recent.add(facts, merchantId === null ? exchange.now : exchange.nowOf(merchantId))
      changes.publish({ merchantId, topic: 'requests', id: facts.request_id })
    }
    if (hasChanged(request, exchange)) changes.publish({ merchantId: merchantId ?? 'everybody', topic: 'data' })
  }
}

/** Something may have: whoever only comes or goes, and who is refused, has changed nothing. */
const hasChanged = ({ method }: Request, { errorName, route = '' }: Exchange): boolean =>
  !READING.has(method) && errorName === undefined && !/\/log(?:in|out)$/.test(route)

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
