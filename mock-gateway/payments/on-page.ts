import { hash } from 'node:crypto'
import { cancelWithin } from '../cards/stored-cards.ts'
import { GatewayError } from '../domain/errors/errors.ts'
import type { Merchant, MerchantSettings } from '../domain/merchant.ts'
import { isRedirectMethod, type RedirectMethod } from '../domain/order/payment-methods.ts'
import { STATES } from '../domain/order/states.ts'
import { record } from '../outbox/record.ts'
import type { StoredCardRow } from '../storage/tables/stored-cards.ts'
import type { TransactionChanges, TransactionRow } from '../storage/tables/transactions.ts'
import { updateTransaction } from '../storage/transactions.ts'
import type { OpenWork } from '../work/work.ts'

/** Data that a payment page adds to an update: the payer may have opened it a while ago. */
export interface PageVersion {
  /** `getShownVersion` of the payer's page; undefined if the form of an old template omits it. */
  readonly shown: string | undefined
  /** Version of a row that waits for the bank: this payment replaces that attempt. */
  readonly replacedVersion?: number | undefined
}

/**
 * Returns 16 URL-safe characters that identify the content of the payer's page. They change with
 * everything that the payer sees and agrees to.
 */
export function getShownVersion(row: TransactionRow): string {
  const {
    amount_text,
    currency,
    payment_ref,
    items,
    authorize,
    test,
    plan_id,
    subscription_quantity,
  } = row
  const shown = [
    amount_text,
    currency,
    payment_ref,
    items,
    authorize,
    test,
    plan_id,
    subscription_quantity,
  ]
  return hash('sha256', JSON.stringify(shown), 'base64url').slice(0, 16)
}

/**
 * Returns the time at which a page expires that is prepared or prolonged now, in epoch
 * milliseconds; null: never.
 */
export const calculateExpiryTime = (
  { page_minutes }: MerchantSettings,
  now: number,
): number | null => (page_minutes === 0 ? null : now + page_minutes * 60_000)

/** Payment that waits for the payer's answer in an app or at a bank. */
type AwaitedPayment = TransactionRow & { readonly payment_method: RedirectMethod }

/** Returns true while the payment waits for the payer's answer in an app or at a bank. */
export const isAwaitingPayer = (row: TransactionRow): row is AwaitedPayment =>
  row.status === 'pending' && row.answer_by !== null && isRedirectMethod(row.payment_method)

/** Returns true if the page of a payable transaction has expired. */
export const isPageExpired = ({ status, expires_at }: TransactionRow, now: number): boolean =>
  STATES[status].payable && expires_at !== null && expires_at <= now

/** Returns true if all attempts of a page are used, and the bank declined them. */
export const isUsedUp = ({ status, tries }: TransactionRow, { settings }: Merchant): boolean =>
  STATES[status].payable && tries >= settings.page_tries

/**
 * @throws errors.transaction.timeout (1280), errors.payment.failed (1290) when the tries are used
 *   up, errors.amount.mismatch (203) when the payer saw something else
 */
export function checkOnPage(
  row: TransactionRow,
  merchant: Merchant,
  now: number,
  { shown }: PageVersion,
): void {
  if (isPageExpired(row, now))
    throw new GatewayError('errors.transaction.timeout', {
      explain: "The page has expired. See the merchant's setting page_minutes.",
    })
  if (isUsedUp(row, merchant))
    throw new GatewayError('errors.payment.failed', {
      explain: "The page has no attempts left. See the merchant's setting page_tries.",
    })
  checkShown(row, shown)
}

/** @throws errors.amount.mismatch (203) */
export function checkShown(row: TransactionRow, shown: string | undefined): void {
  if (shown !== undefined && shown !== getShownVersion(row))
    throw new GatewayError('errors.amount.mismatch', {
      explain:
        'The merchant changed the order after the page was shown, so nothing was charged. Open the page again.',
    })
}

/**
 * Counts an attempt: the last declined one fails the payment. @param tries number of attempts,
 * including this one
 */
export const countTry = (
  columns: TransactionChanges,
  tries: number,
  { page_tries }: MerchantSettings,
): TransactionChanges =>
  columns.status === 'declined' && tries >= page_tries ? { ...columns, status: 'failed' } : columns

/**
 * Restarts the time of a payment page (WCAG 2.2.1). If the payment changes at the same time, it
 * stays as it is.
 */
export const prolongPage = (
  { write, merchant, now }: OpenWork,
  transaction: TransactionRow,
): Promise<unknown> =>
  write(({ queries }) =>
    updateTransaction(queries, transaction, {
      expires_at: calculateExpiryTime(merchant.settings, now),
    }),
  )

/**
 * Deletes a stored card on the page of a payment, as the API does (decision 50), with an entry in
 * the payment's log. Does nothing if the card is already deleted.
 * @param card a card that the payment's customer can pay with
 */
export const removeCardOnPage = (
  work: OpenWork,
  row: TransactionRow,
  card: StoredCardRow,
): Promise<void> =>
  work.write(async (steps) => {
    if (card.status !== 'active') return
    await cancelWithin(steps, card.id)
    await record(steps, row, [{ event: 'card_removed', stored_card_id: card.id }])
  })
