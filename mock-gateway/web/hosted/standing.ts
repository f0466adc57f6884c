import type { TransactionStatus } from '../../contract/transaction.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { isPageExpired, isUsedUp } from '../../payments/on-page.ts'
import type { TransactionRow } from '../../storage/transactions.ts'

/** Where a payment stands for whoever comes to its page: its status, and whether the page has come to an end. */
export type Standing = TransactionStatus | 'expired' | 'used up'

/** What a payer may do at the address of a payment. */
export type Action = 'show' | 'pay' | 'cancel' | 'extend'

/** What the page does then: a page that it shows, or something that it carries out. */
export type Step =
  /** The form where the payer types the card. */
  | 'form'
  | 'receipt'
  /** That the payment is under way, and how it goes on. */
  | 'waiting'
  /** That the time is over, or the tries are, and the way back. */
  | 'expired'
  | 'used up'
  /** Asks the bank. */
  | 'charge'
  /** Back to the shop, to error_url. */
  | 'leave'
  /** Back to the shop with what came of the payment. */
  | 'return'
  /** To the page itself, which shows how it stands: a reload then sends nothing again. */
  | 'page'
  /** The form with all its time once more. */
  | 'prolong'
  /** Ends the bank's question of who pays, and then back to the shop. */
  | 'abort'

const PAYABLE = { show: 'form', pay: 'charge', cancel: 'leave', extend: 'prolong' } as const
const PAID = { show: 'receipt', pay: 'return', cancel: 'page', extend: 'page' } as const
const UNDER_WAY = { show: 'waiting', pay: 'page', cancel: 'abort', extend: 'page' } as const

/** The life of a payment's page: what every action does, wherever the payment stands (our decision, as the best do it). */
export const STEPS: Readonly<Record<Standing, Readonly<Record<Action, Step>>>> = {
  pending: PAYABLE,
  declined: PAYABLE,
  failed: PAYABLE,
  '3ds pending': UNDER_WAY,
  authorized: PAID,
  'capture pending': PAID,
  approved: PAID,
  expired: { show: 'expired', pay: 'expired', cancel: 'expired', extend: 'expired' },
  'used up': { show: 'used up', pay: 'used up', cancel: 'leave', extend: 'used up' },
}

/** @param now epoch milliseconds */
export function standingOf(row: TransactionRow, merchant: Merchant, now: number): Standing {
  if (isPageExpired(row, now)) return 'expired'
  return isUsedUp(row, merchant) ? 'used up' : row.status
}
