import type { TransactionStatus } from '../../contract/wire.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { payableAmount } from '../../domain/money/money.ts'
import type { LinkEnd } from '../../domain/order/payment-link.ts'
import { STATES } from '../../domain/order/states.ts'
import type { PageAction } from '../../parsing/page-payment.ts'
import { isAsked, isPageExpired, isUsedUp } from '../../payments/on-page.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'
import { listOfferedPlans } from './listed-plans.ts'

/** State of a payment's page: the transaction's status, or why the page differs from it. */
export type PageState =
  | TransactionStatus
  | 'asked'
  | 'expired'
  | 'used up'
  | 'unpayable'
  | 'link over'

/** Actions at the address of a payment. */
export type VisitAction = 'show' | PageAction

/** Result of an action: a page to show, or an operation to run. */
export type PageStep =
  /** The form for the card. */
  | 'form'
  | 'receipt'
  /** The page of a payment in progress. */
  | 'waiting'
  /** The simulated app or bank. */
  | 'simulator'
  /** The page has expired, or no attempts are left, with a link to the shop. */
  | 'expired'
  | 'used up'
  /** The order cannot be paid, with a link to the shop. */
  | 'unpayable'
  /** The payment link accepts no further payments. */
  | 'link over'
  /** Asks the bank. */
  | 'charge'
  /** Accepts the payer's answer in the app or at the bank. */
  | 'answer'
  /** Deletes a stored card, and reports it. */
  | 'remove card'
  /** Ends the wait for the payer's answer elsewhere, and shows the form. */
  | 'stop asking'
  /** Back to the shop, to error_url. */
  | 'leave'
  /** Redirects to the shop with the result of the payment. */
  | 'return'
  /**
   * Redirects to the page itself, which shows the current state: a reload then sends nothing again.
   */
  | 'page'
  /** The form, with its full time again. */
  | 'prolong'
  /** Ends the 3-D Secure challenge, and shows the form. */
  | 'begin anew'
  /** The same, and then returns to the shop. */
  | 'abort'

const PAYABLE = {
  show: 'form',
  pay: 'charge',
  cancel: 'leave',
  extend: 'prolong',
  answer: 'page',
  back: 'page',
  remove_card: 'remove card',
} as const
const ASKED = {
  ...PAYABLE,
  show: 'simulator',
  pay: 'page',
  extend: 'page',
  answer: 'answer',
  back: 'stop asking',
  remove_card: 'page',
} as const
const PAID = {
  show: 'receipt',
  pay: 'return',
  cancel: 'page',
  extend: 'page',
  answer: 'return',
  back: 'page',
  remove_card: 'page',
} as const
const UNDER_WAY = {
  ...PAYABLE,
  show: 'waiting',
  cancel: 'abort',
  extend: 'page',
  back: 'begin anew',
  remove_card: 'page',
} as const
/** Every form leads to the page, which shows why the payment can no longer be paid. */
const OVER = {
  ...PAYABLE,
  show: 'expired',
  pay: 'page',
  cancel: 'page',
  extend: 'page',
  remove_card: 'page',
} as const
const USED_UP = { ...OVER, show: 'used up', cancel: 'leave' } as const
const UNPAYABLE = { ...OVER, show: 'unpayable', cancel: 'leave' } as const
const LINK_OVER = { ...OVER, show: 'link over', cancel: 'leave' } as const

/** Every action in every state of a payment's page (decision 64). */
export const STEPS: Readonly<Record<PageState, Readonly<Record<VisitAction, PageStep>>>> = {
  pending: PAYABLE,
  declined: PAYABLE,
  failed: PAYABLE,
  '3ds pending': UNDER_WAY,
  authorized: PAID,
  'capture pending': PAID,
  approved: PAID,
  asked: ASKED,
  expired: OVER,
  'used up': USED_UP,
  unpayable: UNPAYABLE,
  'link over': LINK_OVER,
}

/**
 * @param now epoch milliseconds
 * @param linkEnd how the payment's link has ended
 */
export function pageStateOf(
  row: TransactionRow,
  merchant: Merchant,
  now: number,
  linkEnd?: LinkEnd,
): PageState {
  if (linkEnd && STATES[row.status].payable) return 'link over'
  // A payer who is answering in an app keeps the time and the attempt.
  if (isAsked(row)) return 'asked'
  if (isPageExpired(row, now)) return 'expired'
  if (isUsedUp(row, merchant)) return 'used up'
  return STATES[row.status].payable && refusalOfAmount(row) ? 'unpayable' : row.status
}

/** Returns why the order cannot be paid; undefined if it can. A plan may cost nothing now. */
export function refusalOfAmount(row: TransactionRow): GatewayError | undefined {
  try {
    payableAmount(
      row.amount_text,
      row.currency,
      row.plan_id === null && listOfferedPlans(row).length === 0 ? 1 : 0,
    )
    return undefined
  } catch (error) {
    if (error instanceof GatewayError) return error
    throw error
  }
}
