import type { Request, Response } from 'express'
import type { Logger } from '../../domain/ambient.ts'
import type { Changes } from '../../domain/changes.ts'
import type { Counts } from '../../domain/counts.ts'
import type { Exchange } from './exchange.ts'
import type { KeptRequests } from './kept-requests.ts'
import { collectRequest } from './request-contents.ts'
import { type RequestFacts, requestFacts } from './request-facts.ts'

export type RequestLog = (request: Request, response: Response, exchange: Exchange) => void

/** Pages for people, and their assets: no client sends these requests. */
const BROWSER_REQUESTS =
  /^\/(?:$|\?|(?:console|assets|docs|openapi(?:-control)?\.json|health|metrics|ready)\b)/i

/**
 * Returns true for answered reads of the control API. Tools poll it, and would fill the request log
 * of the shop that they watch.
 */
const isPoll = ({ method, originalUrl }: Request, { error }: RequestFacts): boolean =>
  READING.has(method) && error === null && /^\/_control\b/i.test(originalUrl)

/** Logs and counts each request, and stores requests of clients in the request log. */
export function requestLog(
  logger: Logger,
  kept: Pick<KeptRequests, 'add'>,
  changes: Changes,
  counts: Counts,
): RequestLog {
  return (request, response, exchange) => {
    const facts = requestFacts(request, response, exchange)
    logger.info(facts)
    const { method, route, status, duration_ms, merchant_id: merchantId } = facts
    counts.add({ method, route: route ?? '', status: String(status ?? 'gone') }, duration_ms / 1000)
    if (!BROWSER_REQUESTS.test(request.originalUrl) && !isPoll(request, facts)) {
      kept.add(collectRequest(facts, request, response, exchange), exchange.answer)
      changes.publish({ merchantId, topic: 'requests', id: facts.request_id })
    }
    if (hasChanged(request, facts))
      changes.publish({ merchantId: merchantId ?? 'everybody', topic: 'data' })
  }
}

/**
 * Returns true if a request may have changed data: reads, logins and rejected requests change
 * nothing.
 */
const hasChanged = ({ method }: Request, { error, route }: RequestFacts): boolean =>
  !READING.has(method) && error === null && !/\/log(?:in|out)$/.test(route ?? '')

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])
