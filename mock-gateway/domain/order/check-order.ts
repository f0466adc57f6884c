import type { Item, PaymentMethod } from '../../contract/wire.ts'
import { GatewayError } from '../errors/errors.ts'
import type { JsonObject } from '../json.ts'
import type { MerchantSettings } from '../merchant.ts'
import { parseAmount } from '../money/money.ts'
import type { SentPaymentDetails } from '../payer/payment-details.ts'
import { checkItems, checkItemsTotal } from './items.ts'
import { getRules } from './payment-methods.ts'

/** The parts of a transaction that its payment method checks. */
interface Order {
  readonly payment_method: PaymentMethod
  /**
   * As sent: a badly formatted amount is rejected when paying, so items are only compared with a
   * valid one.
   */
  readonly amount_text: string
  readonly items: readonly Item[] | null
  readonly payment_details: SentPaymentDetails | null
}

/**
 * Checks the requirements of the payment method (specification: Create transaction). Data known to
 * the merchant, such as items and payment_details, are required from the start; data known to the
 * payer only when the transaction is processed (our decision, as with card data).
 * @param complete true if the transaction is processed now
 * @returns the payer's details in normal form
 * @throws errors.merchant.invoice.not_configured (181), errors.items.missing (166) and the errors
 *   of `checkItems`, errors.items.transaction_amount_mismatch (260), the errors of
 *   `checkInvoicePayer` and `readSwishNumber`
 */
export function checkOrder(
  { payment_method, amount_text, items, payment_details }: Order,
  settings: MerchantSettings,
  complete: boolean,
): SentPaymentDetails | null {
  const { itemized, checkPayer } = getRules(payment_method)
  if (payment_method === 'invoice' && !settings.invoice)
    throw new GatewayError('errors.merchant.invoice.not_configured', {
      explain: "The merchant's setting invoice is false, so invoices are not accepted.",
    })
  if (itemized) {
    const rows = checkItems((items ?? []) as readonly JsonObject[], { required: true })
    const total = parseAmount(amount_text)
    if (total.ok) checkItemsTotal(rows, total.value)
  }
  return checkPayer(payment_details ?? undefined, complete) ?? null
}
