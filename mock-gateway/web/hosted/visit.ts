import type { Response } from 'express'
import { GatewayError } from '../../domain/errors/errors.ts'
import { isHrefToken } from '../../domain/identifiers.ts'
import type { Merchant } from '../../domain/merchant.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { endForPayment } from '../../payments/payment-links.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import type { Templates } from '../../templates/templates.ts'
import { exchangeOf, workOf } from '../http/exchange.ts'
import { type PageState, pageStateOf } from './page-state.ts'

/** A visit of a payment's address. */
export interface PaymentVisit {
  readonly response: Response
  readonly row: TransactionRow
  readonly merchant: Merchant
  readonly pageState: PageState
  /** How the payment's link has ended; undefined if it has not. */
  readonly linkEnd: LinkEnd | undefined
  /** Epoch milliseconds by the merchant's clock. */
  readonly now: number
}

/**
 * Finds the payment of a token, with its return addresses rendered; the token alone grants access
 * to the page.
 * @throws errors.transaction.not_found (128)
 */
export async function findVisit(
  token: unknown,
  response: Response,
  {
    authenticator,
    templates,
  }: { readonly authenticator: Authenticator; readonly templates: Templates },
): Promise<PaymentVisit> {
  const { service, nowOf } = exchangeOf(response)
  const found =
    typeof token === 'string' && isHrefToken(token)
      ? await findTransactionByHrefToken(service.database.db, token)
      : undefined
  const merchant = found && (await authenticator.find(found.merchant_id))
  exchangeOf(response).about = found?.id
  const row = merchant && (await templates.withAddresses(workOf(response, merchant), found))
  if (row && merchant) {
    const now = nowOf(merchant.id)
    const linkEnd = await endForPayment({ queries: service.database.db, now }, row)
    return {
      response,
      row,
      merchant,
      now,
      linkEnd,
      pageState: pageStateOf(row, merchant, now, linkEnd),
    }
  }
  throw new GatewayError('errors.transaction.not_found', {
    explain: 'No payment has this address.',
  })
}
