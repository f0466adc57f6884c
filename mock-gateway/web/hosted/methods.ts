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

/** Whether a method can pay what this payment is. */
function canPay(method: PageMethod, row: TransactionRow, merchant: Merchant): boolean {
  const { page, itemized } = rulesOf(method)
  const takesCurrency = page?.currencies?.includes(row.currency) ?? true
  return takesCurrency && (!itemized || hasItems(method, row, merchant))
}

/**
 * The methods that a page offers, in the order of the merchant's setting: those that can pay this
 * payment, and the one that the merchant has asked for in any case. A plan, and a payment of
 * nothing, is for cards.
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

/** A card that was stored is a card. */
export const methodOf = (method: PaymentMethod): PageMethod =>
  PAGE_METHODS.find((each) => each === method) ?? 'credit_card'

/**
 * The method of the address, `?payment.selected=swish` or as old pages call it `swish_tab`
 * (observed: 11.5).
 */
export function selectedMethod(selected: unknown): PageMethod | undefined {
  const name = typeof selected === 'string' ? selected.toLowerCase().replace(/_tab$/, '') : ''
  return METHODS_BY_OLD_NAME[name] ?? PAGE_METHODS.find((each) => each === name)
}

/** An invoice lists what was bought, to the same sum. */
function hasItems(
  paymentMethod: PageMethod,
  { amount_text, items }: TransactionRow,
  { settings }: Merchant,
): boolean {
  // Said at once: a refusal that nobody reads takes a hundredth of a page.
  if (!items?.length) return false
  const order = {
    paymentMethod,
    amount: amount_text,
    items,
    // Who it goes to is asked on the page.
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
