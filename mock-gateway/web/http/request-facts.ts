import type { Request, Response } from 'express'
import type { PaymentLine } from '../../presentation/payment-line.ts'
import type { Exchange } from './exchange.ts'

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
  /** Only where the request has done something to a payment. */
  readonly payment?: PaymentLine
}

export const factsOf = ({ method }: Request, response: Response, exchange: Exchange): RequestFacts => ({
  request_id: exchange.id,
  method,
  route: exchange.route ?? null,
  status: response.writableFinished ? response.statusCode : null,
  merchant_id: (exchange.merchant ?? exchange.pageOf)?.id ?? null,
  error: exchange.errorName ?? null,
  explain: (response.getHeader('Mondido-Explain') as string | undefined) ?? null,
  duration_ms: Math.round((performance.now() - exchange.startedAt) * 100) / 100,
  ...(exchange.payment && { payment: exchange.payment }),
})
