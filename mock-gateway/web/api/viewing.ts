import type { Response } from 'express'
import type { Payments } from '../../payments/payments.ts'
import type { Viewing } from '../../presentation/present.ts'
import { readExtend } from '../../requests/extend.ts'
import { exchangeOf, merchantOf } from '../http/exchange.ts'

/** How this request is to see rows: in its language, extended as it asked. */
export function viewingOf(response: Response, { addresses, database }: Payments): Viewing {
  const exchange = exchangeOf(response)
  const { locale, parameters } = exchange
  return {
    queries: database.db,
    merchant: merchantOf(response),
    addresses,
    locale,
    extend: readExtend(parameters, exchange),
  }
}
