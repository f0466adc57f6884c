import type { Request, Response } from 'express'
import type { Logger } from '../../domain/logger.ts'
import type { Exchange } from './exchange.ts'

export type RequestLog = (request: Request, response: Response, exchange: Exchange) => void

/**
 * One line a request. An allow-list: what is not named here is not logged, so no card data, password, hash or token
 * can be. The path is the route's pattern, because a real one may hold the token of a payment page.
 */
export function requestLog(logger: Logger): RequestLog {
  return (request, response, exchange) => {
    logger.info({
      request_id: exchange.id,
      method: request.method,
      route: exchange.route ?? null,
      status: response.writableFinished ? response.statusCode : null,
      merchant_id: exchange.merchant?.id ?? null,
      error: exchange.errorName ?? null,
      explain: response.getHeader('Mondido-Explain') ?? null,
      duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
    })
  }
}
