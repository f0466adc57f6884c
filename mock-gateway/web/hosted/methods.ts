import type { PaymentMethod } from '../../contract/wire.ts'
import { GatewayError } from '../../domain/errors/errors.ts'
import type { Merchant } from '../../domain/merchant.ts'
import { checkOrder } from '../../domain/order/check-order.ts'
import {
  METHODS_BY_OLD_NAME,
  PAGE_METHODS,
  type PageMethod,
  rulesOf,
} from '../../domain/order/payment-methods.ts'
import type { TransactionRow } from '../../storage/tables/transactions.ts'

/** Returns true if a method can pay this payment. */
function canPay(method: PageMethod, row: TransactionRow, merchant: Merchant): boolean {
  const { page, itemized } = rulesOf(method)
  const takesCurrency = page?.currencies?.includes(row.currency) ?? true
  return takesCurrency && (!itemized || hasItems(method, row, merchant))
}

/**
 * Lists the methods of a page, in the order of the merchant's setting: those that can pay this
 * payment, and always the one that the merchant requested. Plans and payments of 0.00 require a
 * card.
 */
export function offeredMethods(row: TransactionRow, merchant: Merchant): readonly PageMethod[] {
  const { payment_methods } = merchant.settings
  const own = methodOf(row.payment_method)
  if (row.plan_id !== null || row.amount === 0) return ['credit_card']
  const offered = payment_methods.filter(
    (method) => method === own || canPay(method, row, merchant),
  )
  const isAskedFor = row.payment_request.payment_method !== undefined && own !== 'credit_card'
  if (isAskedFor && !offered.includes(own)) return [own, ...offered]
  return offered.length > 0 ? offered : ['credit_card']
}

/** Returns the method of a payment. A stored card uses the method of cards. */
export const methodOf = (method: PaymentMethod): PageMethod =>
  PAGE_METHODS.find((each) => each === method) ?? 'credit_card'

/**
 * Reads the method in the address, `?payment.selected=swish` or `swish_tab` in old pages (observed:
 * 11.5).
 */
export function selectedMethod(selected: unknown): PageMethod | undefined {
  const name = typeof selected === 'string' ? selected.toLowerCase().replace(/_tab$/, '') : ''
  return METHODS_BY_OLD_NAME[name] ?? PAGE_METHODS.find((each) => each === name)
}

/** Returns true if the items add up to the amount, as an invoice requires. */
function hasItems(
  paymentMethod: PageMethod,
  { amount_text, items }: TransactionRow,
  { settings }: Merchant,
): boolean {
  // Checked first: creating an unused error takes a hundredth of a page's time.
  if (!items?.length) return false
  const order = {
    paymentMethod,
    amount: amount_text,
    items,
    // The page has the payer's fields.
    paymentDetails: { segmentation: 'b2c' },
  } as const
  try {
    checkOrder(order, settings, false)
    return true
  } catch (error) {
    if (error instanceof GatewayError) return false
    throw error
  }
}
