import type { Response } from 'express'
import type { TransactionStatus } from '../../contract/wire.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { parsePayableAmount } from '../../domain/money/money.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { STATES } from '../../domain/order/states.ts'
import type { Authenticator } from '../../merchants/authenticate.ts'
import { text } from '../../parsing/parameters/parameters.ts'
import {
  getShownVersion,
  isAwaitingPayer,
  isPageExpired,
  isUsedUp,
} from '../../payments/on-page.ts'
import { endForPayment } from '../../payments/payment-links.ts'
import { createHref } from '../../serializers/transaction.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { findTransactionByHrefToken } from '../../storage/transactions.ts'
import { isFromForeignPage } from '../http/boundary.ts'
import { getExchange } from '../http/exchange.ts'

export interface PaymentVisit {
  readonly response: Response
  readonly row: TransactionRow
  readonly merchant: Merchant
  readonly href: string
  readonly pageState: PageState
  /** Content of the page that the payer sees; a form of another content does not pay. */
  readonly version: string
  /** How the payment's link has ended; undefined if it has not. */
  readonly linkEnd: LinkEnd | undefined
  /** Epoch milliseconds by the merchant's clock. */
  readonly now: number
}

/**
 * Finds the payment of a token, which alone grants access to the page.
 * @throws errors.transaction.not_found (128)
 */
export async function findVisit(
  token: unknown,
  response: Response,
  authenticator: Authenticator,
): Promise<PaymentVisit> {
  const { service, getNow } = getExchange(response)
  const { db } = service.database
  const row = await findTransactionByHrefToken(db, token)
  const merchant = row && (await authenticator.find(row.merchant_id))
  if (!row || !merchant)
    throw new GatewayError('errors.transaction.not_found', {
      explain: 'No payment has this address.',
    })
  getExchange(response).about = row.id
  const now = getNow(merchant.id)
  const linkEnd = await endForPayment({ queries: db, now }, row)
  const pageState = decidePageState(row, merchant, now, linkEnd)
  const href = createHref(row, service.addresses)
  const version = getShownVersion(row)
  return { response, row, merchant, href, now, linkEnd, pageState, version }
}

/**
 * Returns true if a foreign page has sent the payer's request. The gateway's pages send no referrer,
 * so on plain http the origin of their forms is `null`.
 */
export function isForeign(response: Response): boolean {
  const { pay } = getExchange(response).service.addresses
  return isFromForeignPage(response.req, new Set([new URL(pay).origin, 'null']))
}

/**
 * Returns true for a form that a foreign page has posted to a payment's address: the page is then
 * shown, without effect. The gateway's own forms are recognised by their origin or, in a frame
 * without one, by the version they contain. This needs no cookie, because the address is secret.
 */
export function isForeignForm({ response, row, version }: PaymentVisit): boolean {
  // A merchant's own page contains no version.
  const isOwnPage = row.template_id !== null && response.req.headers.origin === 'null'
  const isOurs = text(getExchange(response).parameters, 'version') === version
  return !isOurs && !isOwnPage && isForeign(response)
}

/** Why a payment can no longer be paid. */
export type PageEnd = 'expired' | 'used_up' | 'unpayable' | 'link_over'

/** State of a payment's page: the transaction's status, or why the page differs from it. */
export type PageState = TransactionStatus | 'waiting' | PageEnd

/**
 * @param now epoch milliseconds
 * @param linkEnd how the payment's link has ended
 */
function decidePageState(
  row: TransactionRow,
  merchant: Merchant,
  now: number,
  linkEnd?: LinkEnd,
): PageState {
  if (linkEnd && STATES[row.status].payable) return 'link_over'
  // A payer who is answering in an app keeps the time and the attempt.
  if (isAwaitingPayer(row)) return 'waiting'
  if (isPageExpired(row, now)) return 'expired'
  if (isUsedUp(row, merchant)) return 'used_up'
  return STATES[row.status].payable && refusalOfAmount(row) ? 'unpayable' : row.status
}

/** Returns why the order cannot be paid; undefined if it can. A plan may cost nothing now. */
export function refusalOfAmount(row: TransactionRow): GatewayError | undefined {
  const hasPlan = row.plan_id !== null || listOfferedPlans(row).length > 0
  const amount = parsePayableAmount(row.amount_text, row.currency, hasPlan ? 0 : 1)
  return amount.ok ? undefined : amount.refusal
}

/** Maximum number of stored cards, and of plans, on a payment page (our decision). */
export const MOST_CHOICES = 10

/**
 * Lists the plans in `metadata.plans`, which the merchant offers if it has not chosen one itself
 * (our decision).
 */
export function listOfferedPlans({
  plan_id,
  metadata,
}: Pick<TransactionRow, 'plan_id' | 'metadata'>): number[] {
  const listed = metadata?.plans
  if (plan_id !== null || !Array.isArray(listed)) return []
  const ids = listed.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0)
  return [...new Set(ids)].slice(0, MOST_CHOICES)
}
