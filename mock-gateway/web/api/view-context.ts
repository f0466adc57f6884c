import type { Response } from 'express'
import { readExtend } from '../../parsing/extend.ts'
import { isSent } from '../../parsing/parameters/parameters.ts'
import type { ViewContext } from '../../serializers/view-context.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'

const NOTHING: ReadonlySet<string> = new Set()

/**
 * Creates the context of serializers for this request: its language, and the objects it extends.
 */
export function viewingOf(response: Response): ViewContext {
  const exchange = exchangeOf(response)
  const { locale, parameters, service } = exchange
  const { addresses, database } = service
  return {
    queries: database.db,
    merchant: merchantOf(response),
    addresses,
    locale,
    extend: isSent(parameters, 'extend') ? readExtend(parameters, exchange) : NOTHING,
  }
}
